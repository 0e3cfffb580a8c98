import type { RecordedEvent } from '@quittance/domain'
import * as fc from 'fast-check'
import { read, readLog, sampleEvent } from '../../conformance/sample.ts'
import { type Appended, type EventStore, type Head, noEvents } from '../../port.ts'
import { eventually } from '../../testing/peer/eventually.ts'
import { type PeerProcess, startPeerProcess } from '../../testing/peer/process.ts'
import type { EventStoreDbMetrics } from '../metrics.ts'
import { isWanted } from '../read.ts'
import { eventStoreDb } from '../store.ts'
import { type Follower, startFollower, startRestartingFollower } from './chaos-followers.ts'

export type ChaosOptions = {
  /** The folder of the peer's file. */
  readonly directory: string
  readonly events: number
  readonly writers: number
  /** How often the peer is killed. */
  readonly deaths: number
  /** Determines when the peer is killed. */
  readonly seed: number
  /** No new work starts after this time. */
  readonly longestMs: number
}

export type ChaosOutcome = {
  /** The final answer to each append of one event. */
  readonly answered: ReadonlyArray<Appended>
  readonly log: ReadonlyArray<RecordedEvent>
  /** Each stream's head, by the server. */
  readonly heads: ReadonlyMap<string, Head>
  /**
   * Subscribers of the whole log, of the streams with a prefix, and one that restarts from a checkpoint at each death.
   */
  readonly followers: ReadonlyArray<Follower>
  readonly deaths: number
  readonly seconds: number
  readonly metrics: Readonly<EventStoreDbMetrics>
}

const streams = Array.from({ length: 48 }, (_, n) => `chaos-${n}`)

/** Appends one event at the head; resends an append of unknown outcome. */
const appendOnce = async (
  store: EventStore,
  heads: Map<string, Head>,
  stream: string,
  id: string,
): Promise<Appended> => {
  for (;;) {
    const head = heads.get(stream) ?? noEvents
    const append = store.append(stream, head, [sampleEvent(id)])
    let outcome = await append()
    while (outcome._tag === 'Left' && outcome.left._tag === 'OutcomeUnknown') outcome = await append()
    if (outcome._tag === 'Right') {
      heads.set(stream, outcome.right.head)
      return outcome.right
    }
    const slice = await store.readStream(stream, head.revision + 1n)()
    if (slice._tag === 'Right') heads.set(stream, slice.right.head)
  }
}

/** Kills the peer after each of these numbers of acknowledged events, and restarts it on the same file and port. */
const torment = async (
  first: PeerProcess,
  { directory, events, deaths, seed, longestMs }: ChaosOptions,
  progress: { readonly answered: () => number; readonly isOver: () => boolean; readonly died: () => void },
): Promise<{ readonly peer: PeerProcess; readonly deaths: number }> => {
  const moments = fc.sample(fc.noBias(fc.integer({ min: 1, max: events - 1 })), { numRuns: deaths, seed })
  let [peer, died] = [first, 0]
  for (const moment of moments.toSorted((a, b) => a - b)) {
    await eventually(() => progress.isOver() || progress.answered() >= moment, 2 * longestMs)
    if (progress.answered() < moment) break
    await peer.kill()
    died += 1
    progress.died()
    peer = await startPeerProcess(directory, peer.port)
  }
  return { peer, deaths: died }
}

/** Runs writers and three subscribers while the server is killed (SIGKILL) and restarted. */
export const chaos = async (options: ChaosOptions): Promise<ChaosOutcome> => {
  const started = await startPeerProcess(options.directory, 0)
  const { connectionString } = started
  const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000 })
  const startedAt = performance.now()
  const answered: Appended[] = []
  const known = new Map<string, Head>()
  let [next, isOver] = [0, false]
  const write = async (): Promise<void> => {
    while (next < options.events && performance.now() - startedAt < options.longestMs) {
      const n = next
      next += 1
      answered.push(await appendOnce(store, known, streams[n % streams.length] ?? '', `event ${n}`))
    }
  }
  const done = new AbortController()
  const restarting = startRestartingFollower(connectionString, done.signal)
  const followers: ReadonlyArray<Follower> = [
    startFollower(store, done.signal),
    startFollower(store, done.signal, { streamPrefixes: ['chaos-1'] }),
    restarting,
  ]
  const tormenting = torment(started, options, {
    answered: () => answered.length,
    isOver: () => isOver,
    died: restarting.drop,
  })
  await Promise.all(Array.from({ length: options.writers }, write))
  const seconds = (performance.now() - startedAt) / 1_000
  isOver = true
  const { peer, deaths } = await tormenting
  const log = await readLog(store)
  const heads = new Map<string, Head>()
  for (const stream of streams) heads.set(stream, (await read(store, stream)).head)
  await eventually(() =>
    followers.every(
      ({ seen, filter }) =>
        seen.length >= log.filter((event) => isWanted(event, filter?.streamPrefixes ?? null)).length,
    ),
  )
  done.abort()
  await Promise.all(followers.map(({ ended }) => ended))
  await store.close()
  await peer.kill('SIGTERM')
  return { answered, log, heads, followers, deaths, seconds, metrics: store.metrics }
}

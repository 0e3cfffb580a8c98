import type { RecordedEvent } from '@quittance/domain'
import { readLog, sampleEvent } from '../../conformance/sample.ts'
import { type EventStore, type Head, noEvents } from '../../port.ts'
import { eventually } from '../../testing/peer/eventually.ts'
import { type PeerProcess, startPeerProcess } from '../../testing/peer/process.ts'
import type { EventStoreDbMetrics } from '../metrics.ts'
import { eventStoreDb } from '../store.ts'

export type ChaosOptions = {
  /** Where the peer keeps its file. */
  readonly directory: string
  readonly events: number
  readonly writers: number
  readonly subscribers: number
  /** About so many events are appended between two deaths of the peer. */
  readonly eventsPerDeath: number
  /** After so long nothing new is begun. */
  readonly longestMs: number
}

export type ChaosOutcome = {
  /** The ids of all events that were answered as appended. */
  readonly answered: ReadonlyArray<string>
  readonly log: ReadonlyArray<RecordedEvent>
  readonly seen: ReadonlyArray<ReadonlyArray<RecordedEvent>>
  readonly deaths: number
  readonly seconds: number
  readonly metrics: Readonly<EventStoreDbMetrics>
}

const streams = 48

/** Appends one event behind whatever is there; an unknown outcome is resolved by sending the same again. */
const appendOnce = async (store: EventStore, heads: Map<string, Head>, stream: string, id: string): Promise<void> => {
  for (;;) {
    const head = heads.get(stream) ?? noEvents
    const append = store.append(stream, head, [sampleEvent(id)])
    let outcome = await append()
    while (outcome._tag === 'Left' && outcome.left._tag === 'OutcomeUnknown') outcome = await append()
    if (outcome._tag === 'Right') {
      heads.set(stream, outcome.right.head)
      return
    }
    const slice = await store.readStream(stream, head.revision + 1n)()
    if (slice._tag === 'Right') heads.set(stream, slice.right.head)
  }
}

type Follower = { readonly seen: ReadonlyArray<RecordedEvent>; readonly ended: Promise<void> }

const startFollower = (store: EventStore, signal: AbortSignal): Follower => {
  const seen: RecordedEvent[] = []
  const follow = async (): Promise<void> => {
    for await (const event of store.subscribe(0n, signal)) seen.push(event)
  }
  return { seen, ended: follow() }
}

/** Kills the peer whenever about so many more events were appended, and starts it again on the same file and port. */
const torment = async (
  first: PeerProcess,
  { directory, eventsPerDeath, longestMs }: ChaosOptions,
  progress: { readonly appended: () => number; readonly isOver: () => boolean },
): Promise<{ readonly peer: PeerProcess; readonly deaths: number }> => {
  let [peer, deaths] = [first, 0]
  for (;;) {
    const next = progress.appended() + eventsPerDeath * (0.5 + Math.random())
    await eventually(() => progress.isOver() || progress.appended() > next, 2 * longestMs)
    if (progress.isOver()) return { peer, deaths }
    await peer.kill()
    deaths += 1
    peer = await startPeerProcess(directory, peer.port)
  }
}

/** Lets writers append and subscribers follow while the server is killed (SIGKILL) and started again at random. */
export const chaos = async (options: ChaosOptions): Promise<ChaosOutcome> => {
  const started = await startPeerProcess(options.directory, 0)
  const { connectionString } = started
  const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000 })
  const startedAt = performance.now()
  const answered: string[] = []
  const heads = new Map<string, Head>()
  let [next, isOver] = [0, false]
  const write = async (): Promise<void> => {
    while (next < options.events && performance.now() - startedAt < options.longestMs) {
      const n = next
      next += 1
      await appendOnce(store, heads, `chaos-${n % streams}`, `event ${n}`)
      answered.push(`event ${n}`)
    }
  }
  const done = new AbortController()
  const followers = Array.from({ length: options.subscribers }, () => startFollower(store, done.signal))
  const tormenting = torment(started, options, { appended: () => answered.length, isOver: () => isOver })
  await Promise.all(Array.from({ length: options.writers }, write))
  const seconds = (performance.now() - startedAt) / 1_000
  isOver = true
  const { peer, deaths } = await tormenting
  const log = await readLog(store)
  await eventually(() => followers.every(({ seen }) => seen.length >= log.length))
  done.abort()
  await Promise.all(followers.map(({ ended }) => ended))
  await store.close()
  await peer.kill('SIGTERM')
  return { answered, log, seen: followers.map(({ seen }) => seen), deaths, seconds, metrics: store.metrics }
}

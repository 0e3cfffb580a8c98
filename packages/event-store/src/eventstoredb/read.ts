import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ReadStreamOptions,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
} from '@eventstore/db-client'
import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { type Direction, type Filter, type Head, noEvents, type StreamSlice } from '../port.ts'
import { backoffMs, DeadlinePassed, pause } from './deadline.ts'
import { recordedEvent } from './encoding.ts'
import { isPassing } from './failures.ts'
import { readFiltered } from './filtered-read.ts'
import type { EventStoreDbMetrics } from './metrics.ts'
import { portPosition, serverPosition } from './positions.ts'

/** Collects a read. A read has no deadline of its own: it fails after this long without data. */
const collect = <A>(reading: StreamingRead<A>, silenceMs: number): Promise<ReadonlyArray<A>> =>
  new Promise((resolve, reject) => {
    const found: A[] = []
    const timer = setTimeout(() => {
      reject(new DeadlinePassed(silenceMs))
      reading.cancel().catch(() => undefined)
    }, silenceMs)
    reading.on('data', (value) => {
      found.push(value)
      timer.refresh()
    })
    reading.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    reading.on('end', () => {
      clearTimeout(timer)
      resolve(found)
    })
  })

export type Reader = {
  /** Errors: throws failures that `isStoreFailure` recognizes. */
  readonly slice: (stream: string, from: bigint | undefined, direction: Direction) => Promise<StreamSlice>
  /** At most this many events of a stream from a revision on. Errors: as `slice`. */
  readonly some: (stream: string, from: bigint, count: number) => Promise<ReadonlyArray<RecordedEvent>>
  /** The last event of a stream, or null. Errors: as `slice`. */
  readonly last: (stream: string) => Promise<RecordedEvent | null>
  /**
   * Everything in `$all` now, including the server's and other applications' events, or everything in the log's streams
   * where they are known by their prefixes. Errors: as `slice`.
   */
  readonly everything: () => AsyncIterable<AllStreamResolvedEvent>
  /** As the port's `readAll`. Errors: as `slice`. */
  readonly all: (after: bigint, filter: Filter | undefined) => AsyncIterable<RecordedEvent>
  /** Resolves once every requested reading of the log knows its end, or has failed to learn it. Null without any. */
  readonly endsKnown: () => Promise<unknown> | null
}

const headOf = (event: RecordedEvent | null): Head =>
  event === null ? noEvents : { revision: event.revision, hash: event.metadata.hash }

const eventsPerPage = 1_000

/** Whether the event's stream has one of the prefixes; null for all streams. */
export const isWanted = ({ stream }: RecordedEvent, prefixes: ReadonlyArray<string> | null): boolean =>
  prefixes === null || prefixes.some((prefix) => stream.startsWith(prefix))

/** The prefixes of the streams that are the log's and also wanted; null for all streams. */
export const prefixesOf = (
  ofLog: ReadonlyArray<string> | null,
  filter: Filter | undefined,
): ReadonlyArray<string> | null => {
  if (filter === undefined) return ofLog
  if (ofLog === null) return filter.streamPrefixes
  const narrower = (prefixes: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
    prefixes.filter((prefix) => others.some((other) => prefix.startsWith(other)))
  return [...new Set([...narrower(filter.streamPrefixes, ofLog), ...narrower(ofLog, filter.streamPrefixes)])]
}

/** A stretch of `$all`, after `from` and up to `to`, which holds no event of the log. */
type Empty = { readonly from: bigint; readonly to: bigint }

export const reader = (
  client: () => EventStoreDBClient,
  deadlineMs: number,
  metrics: EventStoreDbMetrics,
  ofLog: ReadonlyArray<string> | null,
): Reader => {
  /** Retries lost connections until the deadline. */
  const persist = async <A>(work: (leftMs: number) => Promise<A>): Promise<A> => {
    const end = performance.now() + deadlineMs
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await work(Math.max(1, end - performance.now()))
      } catch (error) {
        const waitMs = backoffMs(attempts)
        if (!isPassing(error) || performance.now() + waitMs >= end) throw error
        metrics.reconnects += 1
        await pause(waitMs)
      }
    }
  }

  const attempt = async <A>(read: () => StreamingRead<A>): Promise<ReadonlyArray<A>> => {
    try {
      return await persist((leftMs) => collect(read(), leftMs))
    } catch (error) {
      if (error instanceof StreamNotFoundError) return []
      throw error
    }
  }

  const readStream = async (
    stream: string,
    fromRevision: bigint | typeof END,
    direction: Direction,
    maxCount?: number,
  ): Promise<ReadonlyArray<RecordedEvent>> => {
    const options: ReadStreamOptions = {
      fromRevision,
      direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
      maxCount: maxCount ?? Number.MAX_SAFE_INTEGER,
    }
    const found = await attempt<ResolvedEvent>(() => client().readStream(stream, options))
    const step = direction === 'forwards' ? 1n : -1n
    let expected = fromRevision === END ? null : fromRevision
    return found.map((resolved) => {
      const event = recordedEvent(resolved)
      if (event === null) throw new AlteredLog(`An event of ${stream} was not written by this store`)
      if (expected !== null && event.revision !== expected) {
        throw new AlteredLog(`Event ${expected} of ${stream} is missing`)
      }
      expected = event.revision + step
      return event
    })
  }

  const last = async (stream: string): Promise<RecordedEvent | null> =>
    (await readStream(stream, END, 'backwards', 1))[0] ?? null

  const slice = async (stream: string, from: bigint | undefined, direction: Direction): Promise<StreamSlice> => {
    if (direction === 'backwards') {
      // Reads the head first, so that later appends are not part of the answer.
      const head = headOf(await last(stream))
      const first = from === undefined || from > head.revision ? head.revision : from
      return { events: first < 0n ? [] : await readStream(stream, first, 'backwards'), head }
    }
    const first = from === undefined || from < 0n ? 0n : from
    const events = await readStream(stream, first, 'forwards')
    const end = events.at(-1)
    if (end !== undefined) return { events, head: headOf(end) }
    return { events, head: first === 0n ? noEvents : headOf(await last(stream)) }
  }

  const endOfLog = async (): Promise<bigint> => {
    const [end] = await attempt<AllStreamResolvedEvent>(() =>
      client().readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }),
    )
    return portPosition(end?.event?.position) ?? 0n
  }

  const ends = new Set<Promise<bigint>>()

  /** Pages, each with its own deadline. The server includes the event at the start position, which is skipped. */
  async function* upTo(end: Promise<bigint>, after: bigint) {
    const lastWanted = await end
    let reached = after
    while (reached < lastWanted) {
      const fromPosition = serverPosition(reached)
      const page = await attempt(() => client().readAll({ fromPosition, maxCount: eventsPerPage }))
      const before = reached
      for (const resolved of page) {
        const position = portPosition(resolved.event?.position) ?? reached
        if (position > lastWanted) return
        if (position <= reached) continue
        reached = position
        yield resolved
      }
      if (reached === before) return
    }
  }

  /** Whether the server says when a subscription has caught up. EventStoreDB before 23.10 does not. */
  let saysCaughtUp = true
  let empty: Empty = { from: 0n, to: 0n }

  /** As `upTo`, of the streams with these prefixes. Other applications' events are not sent. */
  async function* filteredUpTo(end: Promise<bigint>, after: bigint, prefixes: ReadonlyArray<string>) {
    const lastWanted = await end
    const isWholeLog = prefixes === ofLog
    let reached = after
    let more = true
    while (more && saysCaughtUp) {
      // Nothing is behind it, so the server need not look there again.
      if (isWholeLog && reached >= empty.from && reached < empty.to) reached = empty.to
      if (reached >= lastWanted) return
      const page = await persist((silenceMs) =>
        readFiltered(client(), { prefixes, after: reached, end: lastWanted, most: eventsPerPage, silenceMs }),
      )
      for (const resolved of page.events) {
        reached = portPosition(resolved.event?.position) ?? reached
        yield resolved
      }
      if (page.more === 'nothing, surely' && isWholeLog) empty = { from: reached, to: lastWanted }
      if (page.more === 'unknown') saysCaughtUp = false
      more = page.more === 'perhaps' || page.more === 'unknown'
    }
    if (more) yield* upTo(end, reached)
  }

  const eventsUpTo = (end: Promise<bigint>, after: bigint, prefixes: ReadonlyArray<string> | null) =>
    prefixes === null ? upTo(end, after) : filteredUpTo(end, after, prefixes)

  async function* wantedUpTo(end: Promise<bigint>, after: bigint, filter: Filter | undefined) {
    const prefixes = prefixesOf(ofLog, filter)
    if (prefixes?.length === 0) return
    for await (const resolved of eventsUpTo(end, after, prefixes)) {
      const event = recordedEvent(resolved)
      if (event !== null && isWanted(event, prefixes)) yield event
    }
  }

  return {
    slice,
    some: (stream, from, count) => readStream(stream, from, 'forwards', count),
    last,
    everything: () => eventsUpTo(endOfLog(), 0n, ofLog),
    all: (after, filter) => {
      const end = endOfLog()
      const known = (): void => void ends.delete(end)
      ends.add(end)
      // The iterating caller receives the failure; without one, it must not end the process.
      end.then(known, known)
      return wantedUpTo(end, after, filter)
    },
    endsKnown: () => (ends.size === 0 ? null : Promise.allSettled([...ends])),
  }
}

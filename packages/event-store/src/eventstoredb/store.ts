import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { EventStore, ReadFailure } from '../port.ts'
import { appender } from './append.ts'
import { type Connection, connect } from './connection.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { deliverer } from './delivery.ts'
import { isStoreFailure } from './failures.ts'
import { knownHeads } from './known-heads.ts'
import { type EventStoreDbMetrics, newMetrics } from './metrics.ts'
import type { OrderedAppend, OrderedOutcome } from './ordered-append.ts'
import { orderedAppender } from './ordered-appends.ts'
import { prefixesOf, reader } from './read.ts'
import { follow } from './subscribe.ts'
import type { RecordedHead, Verification } from './verification.ts'
import { verifyLog } from './verify.ts'

export type EventStoreDbOptions = ConnectionOptions & {
  /** Unix milliseconds. Stands in for the server's recording time until an event is read. */
  readonly clock: () => number
  /**
   * Prefixes of all streams of this log, on a server that other applications share: it then sends no others. An append to
   * another stream is a defect. By default every stream belongs to the log.
   */
  readonly streamPrefixes?: ReadonlyArray<string>
  /** Shared counters for several stores. */
  readonly metrics?: EventStoreDbMetrics
}

/** The log on a server. `close` ends its connections. */
export type EventStoreDb = EventStore & {
  readonly metrics: Readonly<EventStoreDbMetrics>
  /** Proves that the log is unaltered and still holds these heads. */
  readonly verify: (heads: ReadonlyArray<RecordedHead>) => TE.TaskEither<ReadFailure, Verification>
  /**
   * Writes many appends in their order, fast, over a connection of its own. For copies of a log: what they hold is not
   * judged by the port's rules.
   * Errors: throws where the process appends in batches to another server.
   */
  readonly appendInOrder: (appends: ReadonlyArray<OrderedAppend>) => Promise<OrderedOutcome>
  /** Ends subscriptions and the client's calls, which otherwise keep the process alive. */
  readonly close: () => Promise<void>
}

/**
 * The event log on EventStoreDB or KurrentDB. Connects on the first call.
 * `append` with an alongside write is a defect and rejects, since there is no SQL transaction to share.
 * Errors: throws where the options are not usable (see `connect`).
 */
export const eventStoreDb = (options: EventStoreDbOptions): EventStoreDb => {
  const { clock, deadlineMs, streamPrefixes: ofLog = null } = options
  const metrics = options.metrics ?? newMetrics()
  const connection = connect(options)
  const { client } = connection
  const known = knownHeads()
  const reading = reader(client, deadlineMs, metrics, ofLog)
  const append = appender({
    deliver: deliverer(connection, metrics, reading.endsKnown),
    reader: reading,
    known,
    metrics,
    clock,
    deadlineMs,
  })
  const closing = new AbortController()
  let batching: Connection | null = null
  let sendInOrder: ReturnType<typeof orderedAppender> | null = null
  const closed: ReadFailure = { _tag: 'StoreUnavailable', cause: new Error('The event store is closed') }

  const orUnavailable =
    <A>(read: () => Promise<A>): TE.TaskEither<ReadFailure, A> =>
    async () => {
      if (closing.signal.aborted) return E.left(closed)
      try {
        return E.right(await read())
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left({ _tag: 'StoreUnavailable', cause })
      }
    }

  return {
    metrics,
    readStream: (stream, from, direction = 'forwards') =>
      orUnavailable(async () => {
        const slice = await reading.slice(stream, from, direction)
        known.remember(stream, slice.head)
        return slice
      }),
    verify: (heads) => orUnavailable(() => verifyLog(reading.everything(), heads)),
    append: (stream, head, events, alongside) => async () => {
      if (alongside !== undefined) throw new TypeError('EventStoreDB has no SQL transaction to write alongside in')
      if (ofLog !== null && !ofLog.some((prefix) => stream.startsWith(prefix)))
        throw new RangeError(`The streams of this log do not include ${stream}`)
      return closing.signal.aborted ? E.left(closed) : append(stream, head, events)
    },
    appendInOrder: (appends) => {
      batching ??= connect({ ...options, batchAppend: true })
      sendInOrder ??= orderedAppender(batching, deadlineMs)
      return sendInOrder(appends)
    },
    readAll: (after, filter) => reading.all(after, filter),
    subscribe: (after, signal, filter) =>
      follow(
        { client, metrics, clock, deadlineMs },
        after,
        AbortSignal.any([signal, closing.signal]),
        prefixesOf(ofLog, filter),
      ),
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await Promise.all([connection.release(), batching?.release()])
    },
  }
}

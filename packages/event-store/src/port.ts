import type { NewEvent, RecordedEvent } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { SqlProgram } from './sql-program.ts'

/**
 * The end of a stream: the revision of its last event and that event's hash (64 hex digits).
 * A stream without events has `noEvents`.
 */
export type Head = { readonly revision: bigint; readonly hash: string }
/** The head of a stream without events. */
export const noEvents: Head = { revision: -1n, hash: '0'.repeat(64) }

/** Events of a stream, and the stream's head. */
export type StreamSlice = { readonly events: ReadonlyArray<RecordedEvent>; readonly head: Head }

/**
 * The events are durable. An idempotent repeat writes nothing, and `head` is that of the stored events. For events just
 * written to a server, `recordedAt` may be this process's clock; reading gives the server's.
 */
export type Appended = { readonly head: Head; readonly position: bigint; readonly events: ReadonlyArray<RecordedEvent> }

/** Why an append is not known to be written. The tag says what to do next. */
export type AppendFailure =
  /** Another writer was first: reload and decide again. */
  | { readonly _tag: 'WrongExpectedRevision'; readonly expected: bigint; readonly actual: bigint }
  /** The events may have been written: resend the identical bytes, nothing else. */
  | { readonly _tag: 'OutcomeUnknown'; readonly cause: unknown }
  /** The alongside write or an inline projection refused this append; nothing was written. */
  | { readonly _tag: 'AppendRefused'; readonly cause: unknown }
  /** The store cannot write (disk full, read-only, torn): nothing was written; a person has to act. */
  | { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

/** The log cannot be read now. */
export type ReadFailure = { readonly _tag: 'StoreUnavailable'; readonly cause: unknown }

export type Direction = 'forwards' | 'backwards'

/** Limits events to streams whose names start with one of these prefixes. */
export type Filter = { readonly streamPrefixes: ReadonlyArray<string> }

/**
 * A write that is atomic with an append, such as an idempotency claim. It runs in the append's transaction, before
 * projections see the events; if it throws, the append is refused and nothing is written.
 */
export type Alongside = SqlProgram<void>

/** The append-only log, in streams. Each adapter keeps the rules that `describeEventStore` checks. */
export interface EventStore {
  /** All events of a stream from a revision on (default: the first), and the stream's head. */
  readonly readStream: (stream: string, from?: bigint, direction?: Direction) => TaskEither<ReadFailure, StreamSlice>
  /**
   * Appends at exactly this head. Never "any". The truth table is in `docs/event-store.md`.
   * A store without SQL transactions rejects `alongside` as a defect.
   */
  readonly append: (
    stream: string,
    head: Head,
    events: ReadonlyArray<NewEvent>,
    alongside?: Alongside,
  ) => TaskEither<AppendFailure, Appended>
  /** Every event after a position (0n: from the start), in order, up to the log's end at the time of the call. */
  readonly readAll: (after: bigint, filter?: Filter) => AsyncIterable<RecordedEvent>
  /**
   * The position of the last event that was recorded before a moment (Unix milliseconds), 0n without one, found by bisection: any
   * place where earlier and later ones meet, where the clock went back. A store whose positions have gaps lacks it.
   */
  readonly lastBefore?: (moment: number) => TaskEither<ReadFailure, bigint>
  /** As `readAll`, then later appends of any process, until the signal aborts. */
  readonly subscribe: (after: bigint, signal: AbortSignal, filter?: Filter) => AsyncIterable<RecordedEvent>
}

/** A log that can also be read a stream after the other, so that who folds streams holds one at a time. */
export interface ReadsByStream {
  /** Every event up to the log's end at the time of the call: stream by stream, each in its order. */
  readonly readByStream: () => AsyncIterable<RecordedEvent>
}

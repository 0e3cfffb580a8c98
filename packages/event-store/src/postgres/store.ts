import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LogTail } from '../chain.ts'
import type { EventStore, ReadFailure } from '../port.ts'
import { sealAppend } from '../seal-append.ts'
import { committer } from './commit.ts'
import { connections } from './connection.ts'
import { isStoreFailure } from './failures.ts'
import { follow, readUpTo } from './follow.ts'
import { groupCommit } from './group-commit.ts'
import { requireStreamName } from './names.ts'
import { connectionOptionsOf, type PostgresLogOptions, usualReaders } from './options.ts'
import { type ReleaseWatch, releaseWatch } from './own-release.ts'
import { openProjections } from './projecting.ts'
import type { PostgresProjection } from './projection.ts'
import { lastBefore, readTail, streamReader } from './read.ts'
import { settler } from './repeats.ts'
import { createSchema } from './schema.ts'
import { wakeUps } from './wake-ups.ts'

/** How a log is opened. */
export type PostgresEventStoreOptions = PostgresLogOptions & {
  /** Unix milliseconds. It may go back, since positions determine the order. */
  readonly clock: () => number
  readonly projections: ReadonlyArray<PostgresProjection>
  /** The most connections that read at once. */
  readonly readers?: number
}

/** The event store in a schema of PostgreSQL, with its connections. */
export type PostgresEventStore = Required<EventStore> & {
  /** The log's end, to be kept outside the store: against it, `verify` finds a cut tail. */
  readonly logHead: TaskEither<ReadFailure, LogTail>
  /** Resolves at the next commit of any process, at the abort, or after a second, since a notification may be lost. */
  readonly untilWritten: (signal: AbortSignal) => Promise<void>
  /**
   * Whether this release still understands the log beside processes of other releases: see `ReleaseWatch`. Whoever shares the log
   * with them looks about once a second. While it does not, all reads and appends answer `StoreUnavailable`.
   */
  readonly release: ReleaseWatch
  /** Commits pending appends, ends subscriptions and closes the connections. */
  readonly close: () => Promise<void>
}

/**
 * The event log in a schema of PostgreSQL, which any number of processes may open.
 * Errors: rejects with `NewerSchema`, `RangeError` for a schema's name, `PostgresError` where the log cannot be opened, and
 * whatever a projection throws while catching up.
 */
export const postgresEventStore = async (options: PostgresEventStoreOptions): Promise<PostgresEventStore> => {
  const { clock, projections } = options
  const within = connectionOptionsOf(options)
  const writer = connections(within, 1)
  const readers = connections(within, options.readers ?? usualReaders)
  const closeAll = () => Promise.all([writer.close(), readers.close()])
  const projecting = await createSchema(writer, within.schema)
    .then(() => openProjections(writer, projections))
    .catch(async (cause: unknown) => {
      await closeAll()
      throw cause
    })
  const reader = streamReader(readers)
  const wakes = wakeUps(within)
  const group = groupCommit(committer(writer, projecting, clock), settler(reader))
  const release = releaseWatch(readers, writer, projecting)
  const closing = new AbortController()
  const closed = { _tag: 'StoreUnavailable', cause: new Error('The event store is closed') } as const

  const refused = () => {
    if (closing.signal.aborted) return E.left(closed)
    const cause = release.leftBehind()
    return cause === null ? null : E.left({ _tag: 'StoreUnavailable', cause } as const)
  }

  const orUnavailable =
    <A>(read: () => Promise<A>): TaskEither<ReadFailure, A> =>
    async () => {
      const refusal = refused()
      if (refusal !== null) return refusal
      try {
        return E.right(await read())
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left({ _tag: 'StoreUnavailable', cause })
      }
    }

  async function* readAll(after: bigint, end: Promise<LogTail>, filter: Parameters<EventStore['readAll']>[1]) {
    const tail = await end
    const cause = release.leftBehind()
    if (cause !== null) throw cause
    yield* readUpTo(readers, Number(after), tail.position, filter)
  }

  return {
    logHead: orUnavailable(() => readers.use(readTail)),
    readStream: (stream, from, direction = 'forwards') => orUnavailable(() => reader.slice(stream, from, direction)),
    append: (stream, head, events, alongside) => async () =>
      refused() ??
      group.enqueue(() => {
        requireStreamName(stream)
        return sealAppend(stream, head, events, alongside)
      }),
    readAll: (after, filter) => {
      const end = readers.use(readTail)
      // Appends that are called later are not part of the answer.
      group.holdUntil(end)
      return readAll(after, end, filter)
    },
    lastBefore: (moment) => orUnavailable(() => readers.use(async (sql) => BigInt(await lastBefore(sql, moment)))),
    subscribe: (after, signal, filter) =>
      follow(readers, wakes, Number(after), AbortSignal.any([signal, closing.signal]), filter),
    release,
    untilWritten: (signal) => wakes.sleep(wakes.heard(), AbortSignal.any([signal, closing.signal])),
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await group.idle()
      await wakes.close()
      await closeAll()
    },
  }
}

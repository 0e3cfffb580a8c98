import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LogTail } from '../chain.ts'
import type { InlineProjection } from '../inline-projection.ts'
import type { EventStore, ReadFailure, ReadsByStream } from '../port.ts'
import { sealAppend } from '../seal-append.ts'
import type { SqlDatabase } from '../sql.ts'
import { archivedPart } from './archive/archived.ts'
import { requireSegment } from './archive/open-segment.ts'
import { segmentFolderOf } from './archive/segments.ts'
import { type FileChanges, fileChanges } from './changes.ts'
import { type Durability, openDatabase } from './database.ts'
import { isStoreFailure } from './failures.ts'
import { follow, readUpTo, wakeUps } from './follow.ts'
import { groupCommit } from './group-commit.ts'
import { checkpoint, readTail } from './heads.ts'
import { lastInLogBefore } from './last-before.ts'
import { openProjections, type Projecting } from './projecting.ts'
import { logReader, streamReader } from './read.ts'
import { readByStream } from './read-by-stream.ts'
import { createSchema, readSchemaVersion } from './schema.ts'
import { telling } from './telling.ts'

export type SqliteEventStoreOptions = {
  /** A file, created if missing, or ':memory:'. */
  readonly path: string
  /** Unix milliseconds. It may go back, since positions determine the order. */
  readonly clock: () => number
  readonly projections: ReadonlyArray<InlineProjection>
  readonly durability?: Durability
  /** Opens an existing log read-only: appends answer `StoreUnavailable`, projections stay unchanged. */
  readonly readOnly?: boolean
}

/** The event store in a file of SQLite, and its one connection: what it has written, it need not read from the file again. */
export type SqliteEventStore = Required<EventStore> &
  ReadsByStream & {
    /** The connection, for writing. Never use it across an await. */
    readonly writer: SqlDatabase
    /** The same, for tables that hold nothing of the log or its read models: what it writes counts as no change of the file. */
    readonly beside: SqlDatabase
    readonly changes: FileChanges
    /** The same, for reading alone. */
    readonly reader: SqlDatabase
    /** The log's end, to be kept outside the store: against it, `verify` finds a cut tail. */
    readonly logHead: () => LogTail
    /** Commits pending appends, ends subscriptions, checkpoints the write-ahead log and closes the file. */
    readonly close: () => void
  }

/** `isShared`: others use the connection, too. */
const assemble = (
  sql: SqlDatabase,
  projecting: Projecting,
  clock: () => number,
  isShared: boolean,
): SqliteEventStore => {
  const wakes = wakeUps()
  const changes = fileChanges(sql, isShared)
  const group = groupCommit(sql, projecting, clock, wakes.wake, changes)
  const readSlice = streamReader(sql)
  const closing = new AbortController()
  const closed = { _tag: 'StoreUnavailable', cause: new Error('The event store is closed') } as const
  const reading =
    <A>(read: () => A): TaskEither<ReadFailure, A> =>
    async () => {
      if (closing.signal.aborted) return E.left(closed)
      try {
        return E.right(read())
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left({ _tag: 'StoreUnavailable', cause })
      }
    }

  return {
    writer: telling(sql, changes.unknown),
    beside: sql,
    reader: sql,
    changes,
    logHead: () => readTail(sql),
    readStream: (stream, from, direction = 'forwards') => reading(() => readSlice(stream, from, direction)),
    append: (stream, head, events, alongside) => () =>
      closing.signal.aborted
        ? Promise.resolve(E.left(closed))
        : group.enqueue(() => sealAppend(stream, head, events, alongside)),
    readAll: (after, filter) => {
      const log = logReader(sql, filter)
      return readUpTo(log, Number(after), log.end())
    },
    lastBefore: (moment) => reading(() => BigInt(lastInLogBefore(sql, moment))),
    readByStream: () => readByStream(sql, readTail(sql).position),
    subscribe: (after, signal, filter) =>
      follow(logReader(sql, filter), wakes, Number(after), AbortSignal.any([signal, closing.signal])),
    close: () => {
      if (closing.signal.aborted) return
      group.flush()
      closing.abort()
      checkpoint(sql)
      sql.close()
    },
  }
}

/** Errors: throws `AlteredLog` where a segment of the log is missing. */
const requireSegments = (sql: SqlDatabase): void => {
  for (const segment of archivedPart(sql).segments()) requireSegment(segmentFolderOf(sql), segment)
}

/**
 * The event log over one open connection for reading and writing, which `close` closes.
 * Errors: as `sqliteEventStore`.
 */
export const eventStoreOver = (
  sql: SqlDatabase,
  { clock, projections }: Pick<SqliteEventStoreOptions, 'clock' | 'projections'>,
): SqliteEventStore => {
  createSchema(sql)
  requireSegments(sql)
  return assemble(sql, openProjections(sql, projections), clock, true)
}

/**
 * The event log in one SQLite file, which several processes may open.
 * Errors: throws `NewerSchema`, `AlteredLog` where a segment is missing, the driver's `SqliteError` where the file cannot be
 * opened, and whatever a projection throws while catching up.
 */
export const sqliteEventStore = (options: SqliteEventStoreOptions): SqliteEventStore => {
  const { path, clock, projections, durability = 'full', readOnly = false } = options
  const sql = openDatabase(path, { durability, readOnly, returnsSpace: true })
  try {
    if (!readOnly) createSchema(sql)
    else if (readSchemaVersion(sql) === 0) throw new Error(`${path} holds no event log`)
    requireSegments(sql)
    return assemble(sql, openProjections(sql, readOnly ? [] : projections), clock, path === ':memory:')
  } catch (error) {
    sql.close()
    throw error
  }
}

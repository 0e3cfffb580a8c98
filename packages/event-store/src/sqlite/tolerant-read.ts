import { join } from 'node:path'
import type { LoggedEvent } from '../chain-check.ts'
import type { SqlDatabase, SqlRow, SqlStatement } from '../sql.ts'
import { archivedPart } from './archive/archived.ts'
import { type Segment, segmentFolderOf } from './archive/segments.ts'
import { openDatabase } from './database.ts'
import { isStoreFailure, sqliteCode } from './failures.ts'
import { eventColumns, integer, storedFromRow, text } from './rows.ts'

/**
 * Answers the value of `read`, or the store's failure. A statement that does not compile counts too: its table, column
 * or index may have been dropped from the file.
 */
export const attempt = <A>(read: () => A): { readonly value: A } | { readonly failure: unknown } => {
  try {
    return { value: read() }
  } catch (failure) {
    if (!isStoreFailure(failure) && sqliteCode(failure) === null) throw failure
    return { failure }
  }
}

/** A position and its row, or null where that lies on an unreadable page. */
export type TolerantRow = {
  readonly position: number
  readonly logged: (LoggedEvent & { readonly recordedAt: number }) | null
}

const loggedFromRow = (row: SqlRow, position: number): TolerantRow['logged'] => {
  try {
    return {
      event: storedFromRow(row),
      position,
      digest: text(row, 'digest'),
      recordedAt: integer(row, 'recorded_at'),
    }
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return null
  }
}

/**
 * Reads positions in (after, last] of a possibly torn file: in one go if possible, else one by one.
 * Errors: throws SQLite's error where the events' table or one of its columns is missing.
 */
export const tolerantReader = (sql: SqlDatabase): ((after: number, last: number) => ReadonlyArray<TolerantRow>) => {
  const columns = `${eventColumns}, digest`
  const batch = sql.prepare(`SELECT ${columns} FROM events WHERE position > ? AND position <= ? ORDER BY position`)
  const single = sql.prepare(`SELECT ${columns} FROM events WHERE position = ?`)
  return (after, last) => {
    const rows = attempt(() => batch.all(after, last))
    if ('value' in rows) {
      return rows.value.map((row) => {
        const position = integer(row, 'position')
        return { position, logged: loggedFromRow(row, position) }
      })
    }
    const found: TolerantRow[] = []
    for (let position = after + 1; position <= last; position += 1) {
      const row = attempt(() => single.get(position))
      if ('failure' in row) found.push({ position, logged: null })
      else if (row.value !== undefined) found.push({ position, logged: loggedFromRow(row.value, position) })
    }
    return found
  }
}

/** Rows in (after, reached]. `segment` holds them, unless they are in the log's file. */
export type TolerantBatch = {
  readonly rows: ReadonlyArray<TolerantRow>
  readonly reached: number
  readonly segment: Segment | null
}

/** Reads the log in batches, across its segments. A segment that cannot be read is passed over as a whole. */
export type TolerantLog = {
  readonly batch: (after: number, end: number) => TolerantBatch
  readonly close: () => void
}

/** Positions read before other work gets a turn. */
const positionsPerBatch = 1_000

/** Errors: as `tolerantReader`, and as the log's list of segments. */
export const tolerantLog = (sql: SqlDatabase): TolerantLog => {
  const archived = archivedPart(sql)
  const live = tolerantReader(sql)
  // A connection of its own: other connections may have pages in memory that are not on the disk any more.
  let open: { readonly segment: Segment; readonly sql: SqlDatabase | null } | null = null
  const close = (): void => open?.sql?.close()
  const opened = (segment: Segment): SqlDatabase | null => {
    if (open?.segment.first === segment.first) return open.sql
    close()
    const path = join(segmentFolderOf(sql), segment.name)
    const file = attempt(() => openDatabase(path, { durability: 'full', readOnly: true }))
    open = { segment, sql: 'value' in file ? file.value : null }
    return open.sql
  }
  const inSegment = (after: number, end: number): TolerantBatch => {
    const segment = archived.holding(after + 1)
    const file = opened(segment)
    const reached = Math.min(after + positionsPerBatch, end, segment.last)
    const rows = file === null ? null : attempt(() => tolerantReader(file)(after, reached))
    if (rows === null || 'failure' in rows) return { rows: [], reached: Math.min(end, segment.last), segment }
    return { rows: rows.value, reached, segment }
  }
  return {
    close,
    batch: (after, end) => {
      const reached = Math.min(after + positionsPerBatch, end)
      const rows = after < archived.end() ? [] : live(after, reached)
      // Asked again, because another process may have archived these positions before they were read.
      return after < archived.end() ? inSegment(after, end) : { rows, reached, segment: null }
    },
  }
}

export type EventName = { readonly stream: string; readonly revision: bigint }

/** Reads event names from the index alone. Errors: throws SQLite's error where the index is missing. */
export const namesStatement = (sql: SqlDatabase): SqlStatement =>
  sql.prepare('SELECT position, stream, revision FROM events INDEXED BY events_by_stream')

/** Event names by position, from the index, whose pages are likely intact where the log's are torn. */
export const namesFromIndex = (sql: SqlDatabase): ReadonlyMap<number, EventName> => {
  const rows = attempt(() => namesStatement(sql).all())
  if ('failure' in rows) return new Map()
  return new Map(
    rows.value.map((row) => [
      integer(row, 'position'),
      { stream: text(row, 'stream'), revision: BigInt(integer(row, 'revision')) },
    ]),
  )
}

import type { LoggedEvent } from '../chain-check.ts'
import type { SqlDatabase, SqlRow, SqlStatement } from '../sql.ts'
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

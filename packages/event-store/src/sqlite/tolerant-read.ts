import type { LoggedEvent } from '../chain-check.ts'
import type { SqlDatabase, SqlRow, SqlStatement } from '../sql.ts'
import { isStoreFailure, sqliteCode } from './failures.ts'
import { eventColumns, integer, storedFromRow, text } from './rows.ts'

/**
 * The value of `read`, or what the store said where it cannot be read. A statement that SQLite refuses to compile is
 * such a case too: a table, a column or an index that it names may have been dropped from the file.
 */
export const attempt = <A>(read: () => A): { readonly value: A } | { readonly failure: unknown } => {
  try {
    return { value: read() }
  } catch (failure) {
    if (!isStoreFailure(failure) && sqliteCode(failure) === null) throw failure
    return { failure }
  }
}

/** A place in the log and what it holds, or null where that lies on a page that cannot be read. */
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
 * Reads positions in (after, last] of a file that may be torn: at once where that works, else one by one.
 * Errors: throws what SQLite says where the file lacks the events' table or one of its columns.
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

/** Reads the events' names from the index alone. Errors: throws what SQLite says where the file lacks that index. */
export const namesStatement = (sql: SqlDatabase): SqlStatement =>
  sql.prepare('SELECT position, stream, revision FROM events INDEXED BY events_by_stream')

/** The events' names by position, from the index: it has pages of its own, likely whole where the log's are torn. */
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

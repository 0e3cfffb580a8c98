import type { SqlDatabase } from '@quittance/event-store'
import { recordedHeads } from '@quittance/projections/rebuild'

/** The end of a log: how many events it holds, and the hash of the last (empty without events). */
export type LogEnd = { readonly events: number; readonly hash: string }

/** Where a copy stands until a service starts on it, or until there is nothing that it could be taken for. */
export const copyPathOf = (path: string): string => `${path}.copy`

const hasTable = (database: SqlDatabase, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined

/** Notes in a file that everything in it is there, of a log that ended so. */
export const markCopied = (database: SqlDatabase, { events, hash }: LogEnd): void =>
  database.transaction(() => {
    database.execute(`CREATE TABLE IF NOT EXISTS copied_log (events INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
      DELETE FROM copied_log`)
    database.prepare('INSERT INTO copied_log VALUES (?, ?)').run(events, hash)
  })

/** Where the log ended that a file is a finished copy of; null where it is none. */
export const copiedEnd = (database: SqlDatabase): LogEnd | null => {
  if (!hasTable(database, 'copied_log')) return null
  const row = database.prepare('SELECT events, hash FROM copied_log').get()
  return row === undefined ? null : { events: Number(row.events), hash: String(row.hash) }
}

/**
 * Whether a copy of a log that ended so holds all that this file knows of. A file with the log in it has to end there
 * itself; one beside a server's log may not have followed it to its end.
 */
export const holdsAllOf = (database: SqlDatabase, copied: LogEnd): boolean => {
  if (hasTable(database, 'events')) {
    const row = database.prepare('SELECT position, hash FROM events ORDER BY position DESC LIMIT 1').get()
    return Number(row?.position ?? 0) === copied.events && String(row?.hash ?? '') === copied.hash
  }
  return recordedHeads(database).every(
    ({ events, hash }) => events < copied.events || (events === copied.events && hash === copied.hash),
  )
}

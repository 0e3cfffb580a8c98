import type { SqlDatabase } from '@quittance/event-store'
import { recordedHeads } from '@quittance/projections/rebuild'

/** The end of a log: how many events it holds, and the hash of the last (empty without events). */
export type LogEnd = { readonly events: number; readonly hash: string }

/** The path of a copy until a service starts on it, or until it can be moved to its final path. */
export const copyPathOf = (path: string): string => `${path}.copy`

const hasTable = (database: SqlDatabase, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined

/** What a complete copy holds: the log alone, or also what belongs to it and is in no log. */
export type CopiedPart = 'log' | 'all'

/** Marks a file as a complete copy of a log with this end. */
export const markCopied = (database: SqlDatabase, { events, hash }: LogEnd, part: CopiedPart): void =>
  database.transaction(() => {
    database.execute(`CREATE TABLE IF NOT EXISTS copied_log (events INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
      DELETE FROM copied_log; DROP TABLE IF EXISTS copied_all`)
    database.prepare('INSERT INTO copied_log VALUES (?, ?)').run(events, hash)
    if (part === 'all') database.execute('CREATE TABLE copied_all (mark INTEGER) STRICT')
  })

/** Whether a complete copy holds what is in no log already. */
export const holdsUnlogged = (database: SqlDatabase): boolean => hasTable(database, 'copied_all')

/** The end of the log that the file is a complete copy of; null for other files. */
export const copiedEnd = (database: SqlDatabase): LogEnd | null => {
  if (!hasTable(database, 'copied_log')) return null
  const row = database.prepare('SELECT events, hash FROM copied_log').get()
  return row === undefined ? null : { events: Number(row.events), hash: String(row.hash) }
}

/**
 * Whether a copy of a log with this end holds all that this file knows. An embedded log must end there itself; read
 * models of a remote log may be behind its end.
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

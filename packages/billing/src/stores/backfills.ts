import type { SqlDatabase } from '@quittance/event-store'

/** Work that was done once over the whole log, after a release that records more than earlier ones. */
export interface Backfills {
  readonly isDone: (name: string) => boolean
  readonly finish: (name: string) => void
}

export const sqliteBackfills = (database: SqlDatabase): Backfills => {
  database.execute('CREATE TABLE IF NOT EXISTS backfills (name TEXT PRIMARY KEY) STRICT')
  const find = database.prepare('SELECT 1 FROM backfills WHERE name = ?')
  const add = database.prepare('INSERT OR IGNORE INTO backfills VALUES (?)')
  return { isDone: (name) => find.get(name) !== undefined, finish: (name) => void add.run(name) }
}

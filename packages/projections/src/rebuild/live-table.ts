import type { SqlDatabase } from '@quittance/event-store'
import { tableName } from '../table-rows.ts'
import type { RowWriter } from '../write-rows.ts'

/** The table that a version of a read model is served from, and its checkpoint. */
export type LiveTable = {
  readonly table: string
  /** The position that it has applied; null where this version has none yet. */
  readonly position: () => number | null
  /** Puts a table that has applied everything up to a position in its place. It belongs into a transaction. */
  readonly replaceBy: (table: string, position: number) => void
}

/** Of older versions the newest stays: while a new one is built beforehand, the service still writes to it. */
export const liveTable = (database: SqlDatabase, { name, version }: RowWriter): LiveTable => {
  const table = tableName({ name, version })
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const checkpoint = database.prepare('SELECT position FROM inline_projections WHERE name = ? AND version = ?')
  const move = database.prepare('INSERT OR REPLACE INTO inline_projections VALUES (?, ?, ?)')
  const older = database.prepare(
    'SELECT version FROM inline_projections WHERE name = ? AND version < ? ORDER BY version DESC LIMIT -1 OFFSET 1',
  )
  const forget = database.prepare('DELETE FROM inline_projections WHERE name = ? AND version = ?')

  const retireOlder = (): void => {
    for (const old of older.all(name, version)) {
      const retired = Number(old.version)
      database.execute(`DROP TABLE IF EXISTS ${tableName({ name, version: retired })}`)
      forget.run(name, retired)
    }
  }
  return {
    table,
    position: () => {
      const row = isThere.get(table) === undefined ? undefined : checkpoint.get(name, version)
      return row === undefined ? null : Number(row.position)
    },
    replaceBy: (rebuilt, position) => {
      database.execute(`DROP TABLE IF EXISTS ${table}; ALTER TABLE ${rebuilt} RENAME TO ${table}`)
      move.run(name, version, position)
      retireOlder()
    },
  }
}

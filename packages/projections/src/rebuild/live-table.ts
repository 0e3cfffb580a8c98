import type { SqlDatabase } from '@quittance/event-store'
import { checkpoints } from '../feed/checkpoints.ts'
import { tableName } from '../table-rows.ts'
import type { RowWriter } from '../write-rows.ts'
import type { Reached } from './log-feed.ts'

type Version = Pick<RowWriter, 'name' | 'version'>

/** Where a file keeps how far its read models are. Positions are digits there, or integers that are exact. */
export type Marks = {
  readonly table: 'inline_projections' | 'feed_checkpoints'
  readonly move: (model: Version, reached: Reached) => void
}

/** Of read models in the log's own file. */
export const inlineMarks = (database: SqlDatabase): Marks => {
  const move = database.prepare('INSERT OR REPLACE INTO inline_projections VALUES (?, ?, ?)')
  return {
    table: 'inline_projections',
    move: ({ name, version }, { position }) => void move.run(name, version, position),
  }
}

/** Of read models beside a log that is elsewhere. */
export const feedMarks = (database: SqlDatabase): Marks => {
  const { set } = checkpoints(database)
  return {
    table: 'feed_checkpoints',
    move: (model, { passed, last }) => last !== null && set(model, last, passed),
  }
}

/** The table that a version of a read model is served from, and its checkpoint. */
export type LiveTable = {
  readonly table: string
  /** The position that it has applied; null where this version has none yet. */
  readonly position: () => bigint | null
  /** Puts a table that has applied the log so far in its place. It belongs into a transaction. */
  readonly replaceBy: (table: string, reached: Reached) => void
}

/** Of older versions the newest stays: while a new one is built beforehand, the service still writes to it. */
export const liveTable = (database: SqlDatabase, { name, version }: Version, marks: Marks): LiveTable => {
  const table = tableName({ name, version })
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const checkpoint = database.prepare(`SELECT position FROM ${marks.table} WHERE name = ? AND version = ?`)
  const older = database.prepare(
    `SELECT version FROM ${marks.table} WHERE name = ? AND version < ? ORDER BY version DESC LIMIT -1 OFFSET 1`,
  )
  const forget = database.prepare(`DELETE FROM ${marks.table} WHERE name = ? AND version = ?`)

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
      return row === undefined ? null : BigInt(String(row.position))
    },
    replaceBy: (rebuilt, reached) => {
      database.execute(`DROP TABLE IF EXISTS ${table}; ALTER TABLE ${rebuilt} RENAME TO ${table}`)
      marks.move({ name, version }, reached)
      retireOlder()
    },
  }
}

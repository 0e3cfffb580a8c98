import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { rowWriters } from '../read-models.ts'
import { tableName } from '../table-rows.ts'

/** Every row of every read model's live table, with all columns. */
export const allRows = (database: SqlDatabase): Readonly<Record<string, ReadonlyArray<SqlRow>>> =>
  Object.fromEntries(rowWriters.map((writer) => [writer.name, rowsIn(database, tableName(writer))]))

export const rowsIn = (database: SqlDatabase, table: string): ReadonlyArray<SqlRow> =>
  database.prepare(`SELECT * FROM ${table} ORDER BY id`).all()

/** The names of all tables that begin so. */
export const tablesLike = (database: SqlDatabase, pattern: string): ReadonlyArray<unknown> =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ? ORDER BY name")
    .all(pattern)
    .map(({ name }) => name)

export const writerOf = (name: string) => {
  const writer = rowWriters.find((each) => each.name === name)
  if (writer === undefined) throw new Error(`there is no read model ${name}`)
  return writer
}

/** The live table of a read model, or that of a version to come. */
export const tableOf = (name: string, ahead = 0): string => {
  const { version } = writerOf(name)
  return tableName({ name, version: version + ahead })
}

import type { PostgresReader, PostgresRow } from '@quittance/event-store/postgres'
import { rowWriters } from '../../read-models.ts'
import { tableName } from '../../table-rows.ts'

/** Every row of every read model, with all columns. */
export const rowsOfEachModel = async (
  reader: Pick<PostgresReader, 'query'>,
): Promise<Readonly<Record<string, ReadonlyArray<PostgresRow>>>> => {
  const tables = await Promise.all(
    rowWriters.map(async (writer) => {
      const { rows } = await reader.query(`SELECT * FROM ${tableName(writer)} ORDER BY id`)
      return [writer.name, rows] as const
    }),
  )
  return Object.fromEntries(tables)
}

import type { RecordedEvent } from '@quittance/domain'
import type { PostgresProjection, PostgresSql } from '@quittance/event-store/postgres'
import { belongingOf, changedRows, idsToRead, knownRow } from '../changed-rows.ts'
import type { ReadModel } from '../read-model.ts'
import { everyIndex, tableName } from '../table-rows.ts'
import { createTable, rowsWithIds, saveRows } from './rows.ts'

/**
 * How the rows of one read model are written on PostgreSQL, into whichever table. `name` is an identifier of SQL, and no
 * other read model of the schema has it. `category` is null where the rows come of all streams.
 */
export type PostgresRowWriter = Pick<ReadModel<never>, 'name' | 'version'> & {
  readonly category: string | null
  /**
   * Makes the table where it is missing: its rows have an `id` of text, which is unique, and the names of its indexes begin
   * with its own and `_`. A rebuild makes it under another name.
   */
  readonly create: (sql: PostgresSql, table: string) => Promise<void>
  /** Applies events in their order to a table that is there. */
  readonly apply: (sql: PostgresSql, table: string, events: ReadonlyArray<RecordedEvent>) => Promise<void>
}

/** The read model as the schema of the log keeps it: written in the transaction of each append. */
export const postgresProjection = (writer: PostgresRowWriter): PostgresProjection => {
  const table = tableName(writer)
  return {
    name: writer.name,
    version: writer.version,
    create: (sql) => writer.create(sql, table),
    apply: (sql, events) => writer.apply(sql, table, events),
  }
}

/**
 * Writes a row for each one that a fold makes. All events of a commit cost at most two statements: one reads the rows that
 * they change, one writes them.
 */
export const postgresRowWriter = <Row>(model: ReadModel<Row>): PostgresRowWriter => {
  const ownOf = belongingOf(model)
  return {
    name: model.name,
    version: model.version,
    category: model.category,
    create: (sql, table) => createTable(sql, table, model.isFoundByIdAlone === true ? [] : everyIndex),
    apply: async (sql, table, events) => {
      const own = ownOf(events)
      const stored = await rowsWithIds(sql, table, idsToRead(model, own))
      const known = new Map(stored.map((row) => [String(row.id), knownRow(model, row)]))
      await saveRows(sql, table, changedRows(model, own, known))
    },
  }
}

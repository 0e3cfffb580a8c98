import type { RecordedEvent } from '@quittance/domain'
import type { PostgresProjection, PostgresSql } from '@quittance/event-store/postgres'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadModel } from '../read-model.ts'
import { decodeRow, everyIndex, tableName } from '../table-rows.ts'
import { type RowValues, rowIdOf, rowValues, startsRow } from '../write-rows.ts'
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
  const idOf = rowIdOf(model)
  return {
    name: model.name,
    version: model.version,
    category: model.category,
    create: (sql, table) => createTable(sql, table, model.isFoundByIdAlone === true ? [] : everyIndex),
    apply: async (sql, table, events) => {
      const own = events.flatMap((event): ReadonlyArray<Belonging> => {
        const id = idOf(event)
        return id === null ? [] : [{ id, event }]
      })
      const known = await knownRows(sql, model, table, own)
      const changed = new Map<string, RowValues>()
      for (const { id, event } of own) {
        const after = changedRow(model, event, startsRow(model, event) ? undefined : known.get(id))
        if (after === null) continue
        known.set(id, after)
        changed.set(id, rowValues(model, after.row, { id, ...after }))
      }
      await saveRows(sql, table, [...changed.values()])
    },
  }
}

/** An event, and the row that it belongs to. */
type Belonging = { readonly id: string; readonly event: RecordedEvent }

/** A row, the revision of the last event that it has seen, and its owner. */
type Known<Row> = {
  readonly row: Row
  readonly revision: number
  readonly scope: Pick<RowValues, 'merchantId' | 'environment'>
}

/** The rows before these events, but for those that start with them. */
const knownRows = async <Row>(
  sql: PostgresSql,
  model: ReadModel<Row>,
  table: string,
  own: ReadonlyArray<Belonging>,
): Promise<Map<string, Known<Row>>> => {
  const firsts = new Map<string, RecordedEvent>()
  for (const { id, event } of own) if (!firsts.has(id)) firsts.set(id, event)
  const ids = [...firsts].flatMap(([id, event]) => (startsRow(model, event) ? [] : [id]))
  const stored = await rowsWithIds(sql, table, ids)
  return new Map(
    stored.map((each) => {
      const { id, row, ...scope } = decodeRow(model, each)
      return [id, { row, revision: Number(each.revision), scope }]
    }),
  )
}

/**
 * Guarded by the stream's revision: an event that the row has seen changes nothing. Null where the row stays as it is.
 */
const changedRow = <Row>(
  model: ReadModel<Row>,
  event: RecordedEvent,
  known: Known<Row> | undefined,
): Known<Row> | null => {
  const revision = Number(event.revision)
  if (known !== undefined && known.revision >= revision) return null
  const after = model.fold(known === undefined ? O.none : O.some(known.row), event)
  return O.isNone(after) ? null : { row: after.value, revision, scope: known?.scope ?? event.metadata }
}

import type { RecordedEvent } from '@quittance/domain'
import type { InlineProjection, SqlDatabase } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import { given, oncePerTable, type Prepared, prepare, sqlBuilder } from './compile.ts'
import { sqlite } from './dialect.ts'
import type { ReadModel } from './read-model.ts'
import { createNamed, createTable, decodeRow, tableName } from './table-rows.ts'

/**
 * How the rows of one read model are written, into whichever table. `name` is an identifier of SQL, and no other read
 * model of the file has it. `category` is null where the rows come of all streams.
 */
export type RowWriter = Pick<ReadModel<never>, 'name' | 'version'> & {
  readonly category: string | null
  /**
   * Makes the table where it is missing: its primary key is `id TEXT`, and the names of its indexes begin with its own and
   * `_`. A rebuild makes it under another name.
   */
  readonly create: (database: SqlDatabase, table: string) => void
  /** Opens the statements over a table that is there and gives what takes the log's events in their order. */
  readonly open: (database: SqlDatabase, table: string) => (event: RecordedEvent) => void
}

const queriesOf = oncePerTable((_, table) => ({ read: byId(table).compile(), save: upsert(table).compile() }))

/** Writes a row for each one that a fold makes; `table` finds them. */
export const rowWriter = <Row>(model: ReadModel<Row>): RowWriter => ({
  name: model.name,
  version: model.version,
  category: model.category,
  create: model.isFoundByIdAlone === true ? createNamed : createTable,
  open: (database, table) => {
    const { read: reading, save: saving } = queriesOf(sqlite, table)
    const [read, save] = [prepare(database, reading), prepare(database, saving)]
    const idOf = rowIdOf(model)
    return (event) => {
      const id = idOf(event)
      if (id !== null) project(model, event, id, read, save)
    }
  },
})

/** The read model as the event log's own file keeps it: written in the transaction of each append. */
export const inlineProjection = (writer: RowWriter): InlineProjection => ({
  name: writer.name,
  version: writer.version,
  create: (database) => writer.create(database, tableName(writer)),
  prepare: (database) => writer.open(database, tableName(writer)),
})

/**
 * Guarded by the stream's revision: an event that the row has seen changes nothing. The first event of a stream makes
 * its row, whose fold starts from nothing.
 */
const project = <Row>(
  model: ReadModel<Row>,
  event: RecordedEvent,
  id: string,
  read: Prepared,
  save: Prepared,
): void => {
  const known = startsRow(model, event) ? undefined : read.get({ id })
  const revision = Number(event.revision)
  if (known !== undefined && Number(known.revision) >= revision) return
  const before = known === undefined ? O.none : O.some(decodeRow(model, known).row)
  const after = model.fold(before, event)
  if (O.isNone(after)) return
  save.run(rowValues(model, after.value, { id, revision, scope: event.metadata }))
}

/** What says which events a row has. */
type Owned = Pick<ReadModel<never>, 'category' | 'rowOf'>

/** Gives the row that an event belongs to; null for none. */
export const rowIdOf = ({ category, rowOf }: Owned): ((event: RecordedEvent) => string | null) => {
  const prefix = `${category}-`
  return (event) => {
    if (!event.stream.startsWith(prefix)) return null
    return rowOf === undefined ? event.stream.slice(prefix.length) : rowOf(event)
  }
}

/** Whether the row of an event starts from nothing, so that there is none to be read. */
export const startsRow = ({ rowOf }: Owned, { revision }: RecordedEvent): boolean =>
  revision === 0n && rowOf === undefined

/** What the columns of a row hold. The owner is that of the event that made the row. */
export type RowValues = {
  readonly id: string
  readonly merchantId: string
  readonly environment: string
  readonly listedUnder: string | null
  readonly status: string | null
  readonly lookupKey: string | null
  readonly dueAt: number | null
  readonly revision: number
  readonly body: string
}

type At = {
  readonly id: string
  readonly revision: number
  readonly scope: Pick<RowValues, 'merchantId' | 'environment'>
}

export const rowValues = <Row>(model: ReadModel<Row>, row: Row, { id, revision, scope }: At): RowValues => {
  const { listedUnder = null, status = null, lookupKey = null, dueAt = null } = model.columns(row, id)
  const { merchantId, environment } = scope
  const body = JSON.stringify(model.row.encode(row))
  return { id, merchantId, environment, listedUnder, status, lookupKey, dueAt, revision, body }
}

export const byId = (table: string) => sqlBuilder.selectFrom(table).selectAll().where('id', '=', given<string>('id'))

export const upsert = (table: string) => {
  const changed = {
    listed_under: given<string>('listedUnder'),
    status: given<string>('status'),
    lookup_key: given<string>('lookupKey'),
    due_at: given<number>('dueAt'),
    revision: given<number>('revision'),
    body: given<string>('body'),
  }
  return sqlBuilder
    .insertInto(table)
    .values({
      id: given<string>('id'),
      merchant_id: given<string>('merchantId'),
      environment: given<string>('environment'),
      ...changed,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
}

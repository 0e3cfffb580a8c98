import type { RecordedEvent } from '@quittance/domain'
import type { InlineProjection, SqlDatabase, SqlRow } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import {
  belongingOf,
  changedRows,
  idsToRead,
  type Known,
  knownRow,
  rowIdOf,
  rowValues,
  startsRow,
} from './changed-rows.ts'
import { given, oncePerTable, type Prepared, prepare, sqlBuilder } from './compile.ts'
import { sqlite } from './dialect.ts'
import type { ReadModel } from './read-model.ts'
import { rowChanger } from './row-changer.ts'
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
  /** As `open`, for what takes many events at once and leaves the same rows. Without it each event is applied by itself. */
  readonly openMany?: (database: SqlDatabase, table: string) => (events: ReadonlyArray<RecordedEvent>) => void
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
  openMany: (database, table) => {
    const { read: reading, save: saving } = queriesOf(sqlite, table)
    const [read, save] = [prepare(database, reading), prepare(database, saving)]
    const ownOf = belongingOf(model)
    const change = rowChanger(database, table)
    return (events) => {
      const own = ownOf(events)
      if (own.length === 0) return
      const stored = new Map<string, SqlRow>()
      const known = new Map<string, Known<Row>>()
      for (const id of idsToRead(model, own)) {
        const row = read.get({ id })
        if (row === undefined) continue
        stored.set(id, row)
        known.set(id, knownRow(model, row))
      }
      for (const values of changedRows(model, own, known)) {
        const before = stored.get(values.id)
        if (before === undefined) save.run(values)
        else change(before, values)
      }
    }
  },
})

/** The read model as the event log's own file keeps it: written in the transaction of each append. */
export const inlineProjection = (writer: RowWriter): InlineProjection => ({
  name: writer.name,
  version: writer.version,
  create: (database) => writer.create(database, tableName(writer)),
  prepare: (database) => writer.open(database, tableName(writer)),
  prepareMany: (database) => applierOf(writer, database, tableName(writer)),
})

/** What takes many events in their order and leaves their rows in a table that is there. */
export const applierOf = (
  writer: RowWriter,
  database: SqlDatabase,
  table: string,
): ((events: ReadonlyArray<RecordedEvent>) => void) => {
  if (writer.openMany !== undefined) return writer.openMany(database, table)
  const apply = writer.open(database, table)
  return (events) => {
    for (const event of events) apply(event)
  }
}

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

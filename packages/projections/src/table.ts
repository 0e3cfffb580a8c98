import type { Environment } from '@quittance/domain'
import { given, oncePerTable } from './compile.ts'
import { pageReader } from './pages.ts'
import type { Found, Page, PageRequest, ReadModel, Scope } from './read-model.ts'
import type { Reading } from './reading.ts'
import { decodeRow, type StoredRow, tableName } from './table-rows.ts'

/** A place on a to-do list: that of a row by when it is due (Unix milliseconds), and its id. */
export type DuePlace = { readonly dueAt: number; readonly id: string }

const beforeAll: DuePlace = { dueAt: -1, id: '' }

/** The queries of one read model. Lists are newest first: ids begin with their time, so their order is that of time. */
export interface Table<Row> {
  readonly page: (request: PageRequest) => Promise<Page<Row>>
  /** A row by its id, of any merchant. */
  readonly withId: (id: string) => Promise<Found<Row> | null>
  /** The rows of all merchants with this look-up key, oldest first. */
  readonly withKey: (lookupKey: string) => Promise<ReadonlyArray<Found<Row>>>
  /** A merchant's rows with this look-up key that are listed under this id. */
  readonly withKeyUnder: (scope: Scope, listedUnder: string, lookupKey: string) => Promise<ReadonlyArray<Found<Row>>>
  /**
   * All rows that are due in an environment at a moment (Unix milliseconds), the longest overdue first. Rows may change and
   * others fall due during the iteration: it gives each row at most once. `after`: only those behind this place.
   */
  readonly due: (environment: Environment, now: number, after?: DuePlace) => AsyncIterable<Found<Row>>
  /** Whose rows fall due after one moment and up to another, the longest overdue first. */
  readonly ownersDue: (environment: Environment, after: number, until: number) => Promise<ReadonlyArray<string>>
  /** The rows of a merchant in this status, oldest first; read as far as they are asked for. */
  readonly ofStatus: (scope: Scope, status: string) => AsyncIterable<Found<Row>>
  /** When the next row falls due after a moment, if any does. */
  readonly nextDue: (environment: Environment, after: number) => Promise<number | null>
  /** How many rows of an environment fall due after one moment, and up to another. */
  readonly countDue: (environment: Environment, after: number, until: number) => Promise<number>
  readonly all: () => Promise<ReadonlyArray<Found<Row>>>
}

/** How many rows a list without an end reads at once. */
export const dueAtOnce = 100

/** The queries of a table, built once. */
export const tableQueries = oncePerTable(({ builder }, name) => {
  const from = builder.selectFrom(name).selectAll()
  const keyed = from.where('lookup_key', '=', given<string>('lookupKey')).orderBy('id')
  const ofEnvironment = builder.selectFrom(name).where('environment', '=', given<string>('environment'))
  return {
    withId: from.where('id', '=', given<string>('id')).compile(),
    withKey: keyed.compile(),
    withKeyUnder: keyed
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('environment', '=', given<string>('environment'))
      .where('listed_under', '=', given<string>('listedUnder'))
      .compile(),
    dueFrom: ofEnvironment
      .selectAll()
      .where('due_at', '<=', given<number>('now'))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('due_at', 'id'), '>', tuple(given<number>('lastDue'), given<string>('lastId'))),
      )
      .orderBy('due_at')
      .orderBy('id')
      .limit(dueAtOnce)
      .compile(),
    nextDue: ofEnvironment
      .select(({ fn }) => fn.min('due_at').as('due_at'))
      .where('due_at', '>', given<number>('after'))
      .compile(),
    ownersDue: ofEnvironment
      .select(['merchant_id'])
      .where('due_at', '>', given<number>('after'))
      .where('due_at', '<=', given<number>('until'))
      .groupBy('merchant_id')
      .orderBy(({ fn }) => fn.min('due_at'))
      .compile(),
    statusFrom: ofEnvironment
      .selectAll()
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('status', '=', given<string>('status'))
      .where('id', '>', given<string>('lastId'))
      .orderBy('id')
      .limit(dueAtOnce)
      .compile(),
    countDue: ofEnvironment
      .select(({ fn }) => fn.countAll().as('rows'))
      .where('due_at', '>', given<number>('after'))
      .where('due_at', '<=', given<number>('until'))
      .compile(),
    all: from.orderBy('id').compile(),
  }
})

/** Opens the queries of a read model. */
export const table = <Row>(reading: Reading, model: ReadModel<Row>): Table<Row> => {
  const found = (rows: ReadonlyArray<StoredRow>) => rows.map((row) => decodeRow(model, row))
  const queries = tableQueries(reading.dialect, tableName(model))
  const withId = reading.prepare(queries.withId)
  const withKey = reading.prepare(queries.withKey)
  const withKeyUnder = reading.prepare(queries.withKeyUnder)
  const dueFrom = reading.prepare(queries.dueFrom)
  const ownersDue = reading.prepare(queries.ownersDue)
  const statusFrom = reading.prepare(queries.statusFrom)
  const nextDue = reading.prepare(queries.nextDue)
  const countDue = reading.prepare(queries.countDue)
  const all = reading.prepare(queries.all)
  return {
    page: pageReader(reading, model, withId),
    withId: async (id) => {
      const row = await withId.get({ id })
      return row === undefined ? null : decodeRow(model, row)
    },
    withKey: async (lookupKey) => found(await withKey.all({ lookupKey })),
    withKeyUnder: async ({ merchantId, environment }, listedUnder, lookupKey) =>
      found(await withKeyUnder.all({ merchantId, environment, listedUnder, lookupKey })),
    due: async function* (environment, now, after = beforeAll) {
      for (let [lastDue, lastId] = [after.dueAt, after.id]; ; ) {
        const rows = await dueFrom.all({ environment, now, lastDue, lastId })
        yield* found(rows)
        const end = rows.at(-1)
        if (end === undefined || rows.length < dueAtOnce) return
        lastDue = Number(end.due_at)
        lastId = String(end.id)
      }
    },
    ownersDue: async (environment, after, until) =>
      (await ownersDue.all({ environment, after, until })).map((row) => String(row.merchant_id)),
    ofStatus: async function* ({ merchantId, environment }, status) {
      for (let lastId = ''; ; ) {
        const rows = await statusFrom.all({ merchantId, environment, status, lastId })
        yield* found(rows)
        const end = rows.at(-1)
        if (end === undefined || rows.length < dueAtOnce) return
        lastId = String(end.id)
      }
    },
    nextDue: async (environment, after) => {
      const at = (await nextDue.get({ environment, after }))?.due_at ?? null
      return at === null ? null : Number(at)
    },
    countDue: async (environment, after, until) =>
      Number((await countDue.get({ environment, after, until }))?.rows ?? 0),
    all: async () => found(await all.all({})),
  }
}

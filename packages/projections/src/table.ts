import type { Environment } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { given, oncePerTable, prepare } from './compile.ts'
import { type Dialect, sqlite } from './dialect.ts'
import { pageReader } from './pages.ts'
import type { Found, Page, PageRequest, ReadModel, Scope } from './read-model.ts'
import { decodeRow, tableName } from './table-rows.ts'

/** The queries of one read model. Lists are newest first: ids begin with their time, so their order is that of time. */
export interface Table<Row> {
  readonly page: (request: PageRequest) => Page<Row>
  /** A row by its id, of any merchant. */
  readonly withId: (id: string) => Found<Row> | null
  /** The rows of all merchants with this look-up key, oldest first. */
  readonly withKey: (lookupKey: string) => ReadonlyArray<Found<Row>>
  /** A merchant's rows with this look-up key that are listed under this id. */
  readonly withKeyUnder: (scope: Scope, listedUnder: string, lookupKey: string) => ReadonlyArray<Found<Row>>
  /**
   * All rows that are due in an environment at a moment (Unix milliseconds), the longest overdue first. Rows may change and
   * others fall due during the iteration: it gives each row at most once.
   */
  readonly due: (environment: Environment, now: number) => Iterable<Found<Row>>
  /** Whose rows fall due after one moment and up to another, the longest overdue first. */
  readonly ownersDue: (environment: Environment, after: number, until: number) => ReadonlyArray<string>
  /** The rows of a merchant in this status, oldest first; read as far as they are asked for. */
  readonly ofStatus: (scope: Scope, status: string) => Iterable<Found<Row>>
  /** When the next row falls due after a moment, if any does. */
  readonly nextDue: (environment: Environment, after: number) => number | null
  /** How many rows of an environment fall due after one moment, and up to another. */
  readonly countDue: (environment: Environment, after: number, until: number) => number
  readonly all: () => ReadonlyArray<Found<Row>>
}

/** How many rows a list without an end reads at once. */
export const dueAtOnce = 100

/** The queries of a table, built once. */
export const tableQueries = ({ builder }: Dialect) =>
  oncePerTable((name) => {
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

const queriesOf = tableQueries(sqlite)

/** Opens the queries of a read model over a connection that reads. */
export const table = <Row>(database: SqlDatabase, model: ReadModel<Row>): Table<Row> => {
  const found = (rows: ReadonlyArray<SqlRow>) => rows.map((row) => decodeRow(model, row))
  const queries = queriesOf(tableName(model))
  const withId = prepare(database, queries.withId)
  const withKey = prepare(database, queries.withKey)
  const withKeyUnder = prepare(database, queries.withKeyUnder)
  const dueFrom = prepare(database, queries.dueFrom)
  const ownersDue = prepare(database, queries.ownersDue)
  const statusFrom = prepare(database, queries.statusFrom)
  const nextDue = prepare(database, queries.nextDue)
  const countDue = prepare(database, queries.countDue)
  const all = prepare(database, queries.all)
  return {
    page: pageReader(database, model),
    withId: (id) => {
      const row = withId.get({ id })
      return row === undefined ? null : decodeRow(model, row)
    },
    withKey: (lookupKey) => found(withKey.all({ lookupKey })),
    withKeyUnder: ({ merchantId, environment }, listedUnder, lookupKey) =>
      found(withKeyUnder.all({ merchantId, environment, listedUnder, lookupKey })),
    due: function* (environment, now) {
      let last: SqlRow = { due_at: -1, id: '' }
      for (;;) {
        const rows = dueFrom.all({ environment, now, lastDue: last.due_at ?? null, lastId: last.id ?? null })
        yield* found(rows)
        const end = rows.at(-1)
        if (end === undefined || rows.length < dueAtOnce) return
        last = end
      }
    },
    ownersDue: (environment, after, until) =>
      ownersDue.all({ environment, after, until }).map((row) => String(row.merchant_id)),
    ofStatus: function* ({ merchantId, environment }, status) {
      for (let lastId = ''; ; ) {
        const rows = statusFrom.all({ merchantId, environment, status, lastId })
        yield* found(rows)
        const end = rows.at(-1)
        if (end === undefined || rows.length < dueAtOnce) return
        lastId = String(end.id)
      }
    },
    nextDue: (environment, after) => {
      const at = nextDue.get({ environment, after })?.due_at
      return typeof at === 'number' ? at : null
    },
    countDue: (environment, after, until) => Number(countDue.get({ environment, after, until })?.rows ?? 0),
    all: () => found(all.all({})),
  }
}

import type { Environment } from '@quittance/domain'
import { postgres } from '../dialect.ts'
import { pageQuery, plannedPage, shapeOf } from '../pages.ts'
import type { Found, Page, PageRequest, ReadModel, Scope } from '../read-model.ts'
import { dueAtOnce, tableQueries } from '../table.ts'
import { decodeRow, type StoredRow, tableName } from '../table-rows.ts'
import { type PostgresReading, type Prepared, prepare } from './prepare.ts'

/** The queries of `Table`, whose answers are awaited. An iteration that is under way sees rows that change meanwhile. */
export interface PostgresTable<Row> {
  readonly page: (request: PageRequest) => Promise<Page<Row>>
  readonly withId: (id: string) => Promise<Found<Row> | null>
  readonly withKey: (lookupKey: string) => Promise<ReadonlyArray<Found<Row>>>
  readonly withKeyUnder: (scope: Scope, listedUnder: string, lookupKey: string) => Promise<ReadonlyArray<Found<Row>>>
  readonly due: (environment: Environment, now: number) => AsyncIterable<Found<Row>>
  readonly ownersDue: (environment: Environment, after: number, until: number) => Promise<ReadonlyArray<string>>
  readonly ofStatus: (scope: Scope, status: string) => AsyncIterable<Found<Row>>
  readonly nextDue: (environment: Environment, after: number) => Promise<number | null>
  readonly countDue: (environment: Environment, after: number, until: number) => Promise<number>
  readonly all: () => Promise<ReadonlyArray<Found<Row>>>
}

const queriesOf = tableQueries(postgres)

/** Opens the queries of a read model over the schema of its log. */
export const postgresTable = <Row>(reading: PostgresReading, model: ReadModel<Row>): PostgresTable<Row> => {
  const found = (rows: ReadonlyArray<StoredRow>) => rows.map((row) => decodeRow(model, row))
  const queries = queriesOf(tableName(model))
  const withId = prepare(reading, queries.withId)
  const withKey = prepare(reading, queries.withKey)
  const withKeyUnder = prepare(reading, queries.withKeyUnder)
  const dueFrom = prepare(reading, queries.dueFrom)
  const ownersDue = prepare(reading, queries.ownersDue)
  const statusFrom = prepare(reading, queries.statusFrom)
  const nextDue = prepare(reading, queries.nextDue)
  const countDue = prepare(reading, queries.countDue)
  const all = prepare(reading, queries.all)
  const foundWithId = async (id: string) => found(await withId.all({ id }))[0] ?? null
  return {
    page: pageReader(reading, model, withId),
    withId: foundWithId,
    withKey: async (lookupKey) => found(await withKey.all({ lookupKey })),
    withKeyUnder: async ({ merchantId, environment }, listedUnder, lookupKey) =>
      found(await withKeyUnder.all({ merchantId, environment, listedUnder, lookupKey })),
    due: async function* (environment, now) {
      for (let [lastDue, lastId] = [-1, '']; ; ) {
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

/** Reads pages as SQLite does. */
const pageReader = <Row>(
  reading: PostgresReading,
  model: ReadModel<Row>,
  withId: Prepared,
): PostgresTable<Row>['page'] => {
  const statements = new Map<string, Prepared>()
  return async (request) => {
    const { query, values, pageOf } = plannedPage(model, request)
    const shape = shapeOf(query)
    const statement = statements.get(shape) ?? prepare(reading, pageQuery(postgres, tableName(model), query))
    statements.set(shape, statement)
    const also = request.alsoId === undefined ? [] : await withId.all({ id: request.alsoId })
    return pageOf(await statement.all(values), also)
  }
}

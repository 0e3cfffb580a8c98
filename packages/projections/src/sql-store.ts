import type { RecordedEvent } from '@quittance/domain'
import type { InlineProjection, SqlDatabase, SqlRow } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import { given, prepare, sqlBuilder } from './compile.ts'
import type { Found, Page, PageRequest, ReadModel, Scope } from './read-model.ts'

/** The queries of one read model. Lists are newest first: ids begin with their time, so their order is that of time. */
export interface Table<Row> {
  readonly find: (id: string) => O.Option<Found<Row>>
  readonly page: (request: PageRequest) => Page<Row>
  /** The rows of all merchants with this look-up key, oldest first. */
  readonly withKey: (lookupKey: string) => ReadonlyArray<Found<Row>>
  readonly ofCustomer: (scope: Scope, customerId: string, lookupKey: string) => ReadonlyArray<Found<Row>>
  /** What is due at a moment (Unix milliseconds), the longest overdue first. */
  readonly due: (now: number, limit: number) => ReadonlyArray<Found<Row>>
  /** When the next row falls due, if any does. */
  readonly nextDue: () => number | null
  readonly all: () => ReadonlyArray<Found<Row>>
}

const tableName = <Row>({ name, version }: ReadModel<Row>): string => `${name}_${version}`

/** The read model as the event log's own file keeps it: written in the transaction of each append. */
export const inlineProjection = <Row>(model: ReadModel<Row>): InlineProjection => ({
  name: model.name,
  version: model.version,
  create: (database) => createTable(database, tableName(model)),
  prepare: (database) => {
    const read = prepare(database, byId(model))
    const save = prepare(database, upsert(model))
    const prefix = `${model.category}-`
    const { rowOf = (event) => event.stream.slice(prefix.length) } = model
    return (event) => {
      const id = event.stream.startsWith(prefix) ? rowOf(event) : null
      if (id !== null) project(model, event, id, read, save)
    }
  },
})

/**
 * Guarded by the stream's revision: an event that the row has seen changes nothing. The first event of a stream makes
 * its row, whose fold starts from nothing.
 */
const project = <Row>(
  model: ReadModel<Row>,
  event: RecordedEvent,
  id: string,
  read: ReturnType<typeof prepare>,
  save: ReturnType<typeof prepare>,
): void => {
  const isFirst = event.revision === 0n && model.rowOf === undefined
  const known = isFirst ? undefined : read.get({ id })
  const revision = Number(event.revision)
  if (known !== undefined && Number(known.revision) >= revision) return
  const before = known === undefined ? O.none : O.some(decodeRow(model, known).row)
  const after = model.fold(before, event)
  if (O.isNone(after)) return
  const { customerId = null, status = null, lookupKey = null, dueAt = null } = model.columns(after.value)
  const { merchantId, environment } = event.metadata
  const body = JSON.stringify(model.row.encode(after.value))
  save.run({ id, merchantId, environment, customerId, status, lookupKey, dueAt, revision, body })
}

/** Opens the queries of a read model over a connection that reads. */
export const table = <Row>(database: SqlDatabase, model: ReadModel<Row>): Table<Row> => {
  const found = (rows: ReadonlyArray<SqlRow>) => rows.map((row) => decodeRow(model, row))
  const find = prepare(database, byId(model))
  const pages = new Map<string, ReturnType<typeof prepare>>()
  const pageStatement = (request: PageRequest) => {
    const shape = pageShape(request)
    const known = pages.get(shape)
    if (known !== undefined) return known
    const statement = prepare(database, pageQuery(model, request))
    pages.set(shape, statement)
    return statement
  }
  const from = sqlBuilder.selectFrom(tableName(model)).selectAll()
  const keyed = from.where('lookup_key', '=', given<string>('lookupKey')).orderBy('id')
  const withKey = prepare(database, keyed)
  const ofCustomer = prepare(
    database,
    keyed
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('environment', '=', given<string>('environment'))
      .where('customer_id', '=', given<string>('customerId')),
  )
  const due = prepare(
    database,
    from.where('due_at', '<=', given<number>('now')).orderBy('due_at').orderBy('id').limit(given<number>('limit')),
  )
  const nextDue = prepare(
    database,
    sqlBuilder
      .selectFrom(tableName(model))
      .select(({ fn }) => fn.min('due_at').as('due_at'))
      .where('due_at', 'is not', null),
  )
  const all = prepare(database, from.orderBy('id'))
  return {
    find: (id) => {
      const row = find.get({ id })
      return row === undefined ? O.none : O.some(decodeRow(model, row))
    },
    page: (request) => {
      const rows = found(pageStatement(request).all(pageValues(request)))
      const page = rows.slice(0, request.limit)
      return {
        rows: request.endingBefore === undefined ? page : page.reverse(),
        hasMore: rows.length > request.limit,
      }
    },
    withKey: (lookupKey) => found(withKey.all({ lookupKey })),
    ofCustomer: ({ merchantId, environment }, customerId, lookupKey) =>
      found(ofCustomer.all({ merchantId, environment, customerId, lookupKey })),
    due: (now, limit) => found(due.all({ now, limit })),
    nextDue: () => {
      const at = nextDue.get({})?.due_at
      return typeof at === 'number' ? at : null
    },
    all: () => found(all.all({})),
  }
}

const byId = <Row>(model: ReadModel<Row>) =>
  sqlBuilder.selectFrom(tableName(model)).selectAll().where('id', '=', given<string>('id'))

const pageShape = ({ customerId, status, startingAfter, endingBefore }: PageRequest): string =>
  [customerId, status, startingAfter, endingBefore].map((each) => each !== undefined).join()

const pageQuery = <Row>(model: ReadModel<Row>, request: PageRequest) => {
  let query = sqlBuilder
    .selectFrom(tableName(model))
    .selectAll()
    .where('merchant_id', '=', given<string>('merchantId'))
    .where('environment', '=', given<string>('environment'))
  if (request.customerId !== undefined) query = query.where('customer_id', '=', given<string>('customerId'))
  if (request.status !== undefined) query = query.where('status', '=', given<string>('status'))
  if (request.startingAfter !== undefined) query = query.where('id', '<', given<string>('startingAfter'))
  if (request.endingBefore !== undefined) query = query.where('id', '>', given<string>('endingBefore'))
  return query.orderBy('id', request.endingBefore === undefined ? 'desc' : 'asc').limit(given<number>('rows'))
}

const pageValues = ({ limit, ...filters }: PageRequest) => ({
  merchantId: filters.merchantId,
  environment: filters.environment,
  customerId: filters.customerId ?? null,
  status: filters.status ?? null,
  startingAfter: filters.startingAfter ?? null,
  endingBefore: filters.endingBefore ?? null,
  rows: limit + 1,
})

const upsert = <Row>(model: ReadModel<Row>) => {
  const changed = {
    customer_id: given<string>('customerId'),
    status: given<string>('status'),
    lookup_key: given<string>('lookupKey'),
    due_at: given<number>('dueAt'),
    revision: given<number>('revision'),
    body: given<string>('body'),
  }
  return sqlBuilder
    .insertInto(tableName(model))
    .values({
      id: given<string>('id'),
      merchant_id: given<string>('merchantId'),
      environment: given<string>('environment'),
      ...changed,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
}

const decodeRow = <Row>(model: ReadModel<Row>, { id, merchant_id, environment, body }: SqlRow): Found<Row> => {
  const decoded = model.row.decode(JSON.parse(String(body)))
  if (E.isLeft(decoded))
    throw new Error(`a row of ${model.name} is damaged: ${PathReporter.report(decoded).join('; ')}`)
  return {
    id: String(id),
    merchantId: String(merchant_id),
    environment: environment === 'mainnet' ? 'mainnet' : 'testnet',
    row: decoded.right,
  }
}

const createTable = (database: SqlDatabase, name: string): void => {
  database.execute(`
    CREATE TABLE IF NOT EXISTS ${name} (
      id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
      customer_id TEXT, status TEXT, lookup_key TEXT, due_at INTEGER,
      revision INTEGER NOT NULL, body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${name}_page ON ${name} (merchant_id, environment, id);
    CREATE INDEX IF NOT EXISTS ${name}_customer ON ${name} (merchant_id, environment, customer_id, id)
      WHERE customer_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${name}_key ON ${name} (lookup_key) WHERE lookup_key IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ${name}_due ON ${name} (due_at) WHERE due_at IS NOT NULL;
  `)
}

import type { SqlDatabase } from '@quittance/event-store'
import { given, type Prepared, prepare, sqlBuilder } from './compile.ts'
import type { Page, PageRequest, ReadModel } from './read-model.ts'
import { decodeRow, tableName } from './table-rows.ts'

/** Reads pages by the ids at their ends, so a page stays the same while newer rows come in. */
export const pageReader = <Row>(
  database: SqlDatabase,
  model: ReadModel<Row>,
): ((request: PageRequest) => Page<Row>) => {
  const statements = new Map<string, Prepared>()
  const statementFor = (request: PageRequest): Prepared => {
    const shape = shapeOf(request)
    const known = statements.get(shape)
    if (known !== undefined) return known
    const statement = prepare(database, pageQuery(model, request))
    statements.set(shape, statement)
    return statement
  }
  return (request) => {
    const found = statementFor(request)
      .all(valuesOf(request))
      .map((row) => decodeRow(model, row))
    const rows = found.slice(0, request.limit)
    return {
      rows: request.endingBefore === undefined ? rows : rows.reverse(),
      hasMore: found.length > request.limit,
    }
  }
}

const shapeOf = ({ customerId, status, startingAfter, endingBefore }: PageRequest): string =>
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

const valuesOf = ({ limit, ...filters }: PageRequest) => ({
  merchantId: filters.merchantId,
  environment: filters.environment,
  customerId: filters.customerId ?? null,
  status: filters.status ?? null,
  startingAfter: filters.startingAfter ?? null,
  endingBefore: filters.endingBefore ?? null,
  rows: limit + 1,
})

import { idBoundary, type UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { sql } from 'kysely'
import { given, type Prepared, prepare, sqlBuilder } from './compile.ts'
import type { Found, Page, PageRequest, ReadModel } from './read-model.ts'
import { decodeRow, tableName } from './table-rows.ts'

/**
 * Reads pages by the ids at their ends, so a page stays the same while newer rows come in. Each is read from one end of
 * a stretch of an index that holds just the rows that the filters keep: it costs the same however far down the list.
 */
export const pageReader = <Row>(
  database: SqlDatabase,
  model: ReadModel<Row>,
): ((request: PageRequest) => Page<Row>) => {
  const statements = new Map<string, Prepared>()
  const statementFor = (page: PageQuery): Prepared => {
    const shape = shapeOf(page)
    const known = statements.get(shape)
    if (known !== undefined) return known
    const statement = prepare(database, pageQuery(tableName(model), page))
    statements.set(shape, statement)
    return statement
  }
  return (request) => {
    const { merchantId, environment, listedUnder = null, status = null, lookupKey = null, limit } = request
    const isBackward = request.endingBefore !== undefined
    const { above, below } = boundsOf(model, request)
    // The far end is not for SQL: with two of them it is led to an index that holds other rows as well.
    const [start, end] = isBackward ? [above, below] : [below, above]
    const isInside = ({ id }: Found<Row>) => end === null || (isBackward ? id < end : id > end)
    const found = statementFor({ listedUnder, status, lookupKey, start, isBackward })
      .all({ merchantId, environment, listedUnder, status, lookupKey, start, rows: limit + 1 })
      .map((row) => decodeRow(model, row))
      .filter(isInside)
    const rows = found.slice(0, limit)
    return { rows: isBackward ? rows.reverse() : rows, hasMore: found.length > limit }
  }
}

/** The ids between which a page lies, both exclusive; null is no bound. */
const boundsOf = <Row>(
  model: ReadModel<Row>,
  { startingAfter, endingBefore, createdFrom, createdBefore }: PageRequest,
): { readonly above: string | null; readonly below: string | null } => {
  const above = [endingBefore, boundary(model, createdFrom)].filter(isGiven)
  const below = [startingAfter, boundary(model, createdBefore)].filter(isGiven)
  return { above: above.sort().at(-1) ?? null, below: below.sort().at(0) ?? null }
}

const isGiven = (id: string | undefined): id is string => id !== undefined

const boundary = <Row>({ name, ids }: ReadModel<Row>, at: UnixMs | undefined): string | undefined => {
  if (at === undefined) return undefined
  if (ids === undefined) throw new Error(`the ids of ${name} do not say when they were made`)
  return idBoundary(ids, at)
}

/** What decides a page's SQL: which values there are, and the direction in which it is read from `start`. */
export type PageQuery = {
  readonly listedUnder: string | null
  readonly status: string | null
  readonly lookupKey: string | null
  readonly start: string | null
  readonly isBackward: boolean
}

const shapeOf = ({ listedUnder, status, lookupKey, start, isBackward }: PageQuery): string =>
  [listedUnder !== null, status !== null, lookupKey !== null, start !== null, isBackward].join()

export const pageQuery = (table: string, { listedUnder, status, lookupKey, start, isBackward }: PageQuery) => {
  // A look-up key leads to so few rows that no other index is to be preferred: `+` keeps a column's own out of it.
  const owner = (column: string) => (lookupKey === null ? sql.ref<string>(column) : sql<string>`+${sql.ref(column)}`)
  let query = sqlBuilder
    .selectFrom(table)
    .selectAll()
    .where(owner('merchant_id'), '=', given<string>('merchantId'))
    .where(owner('environment'), '=', given<string>('environment'))
  if (listedUnder !== null) query = query.where('listed_under', '=', given<string>('listedUnder'))
  if (status !== null) query = query.where('status', '=', given<string>('status'))
  if (lookupKey !== null) query = query.where('lookup_key', '=', given<string>('lookupKey'))
  if (start !== null) query = query.where('id', isBackward ? '>' : '<', given<string>('start'))
  return query.orderBy('id', isBackward ? 'asc' : 'desc').limit(given<number>('rows'))
}

import { idBoundary, type UnixMs } from '@quittance/domain'
import { sql } from 'kysely'
import { given, type Values } from './compile.ts'
import type { Dialect } from './dialect.ts'
import type { Page, PageRequest, ReadModel } from './read-model.ts'
import type { Query, Reading } from './reading.ts'
import { decodeRow, type StoredRow, tableName } from './table-rows.ts'

/**
 * Reads pages by the ids at their ends, so a page stays the same while newer rows come in. Each is read from one end of
 * a stretch of an index that holds just the rows that the filters keep: it costs the same however far down the list.
 */
export const pageReader = <Row>(
  reading: Reading,
  model: ReadModel<Row>,
  withId: Query,
): ((request: PageRequest) => Promise<Page<Row>>) => {
  const queries = new Map<string, Query>()
  const queryFor = (page: PageQuery): Query => {
    const shape = shapeOf(page)
    const known = queries.get(shape)
    if (known !== undefined) return known
    const query = reading.prepare(pageQuery(reading.dialect, tableName(model), page))
    queries.set(shape, query)
    return query
  }
  return async (request) => {
    const { query, values, pageOf } = plannedPage(model, request)
    const also = request.alsoId === undefined ? [] : withId.all({ id: request.alsoId })
    const [stretch, alsoRows] = await Promise.all([queryFor(query).all(values), also])
    return pageOf(stretch, alsoRows)
  }
}

/** How a page is read: its query with its values, and what becomes of the rows and of the row `alsoId`. */
type PlannedPage<Row> = {
  readonly query: PageQuery
  readonly values: Values
  readonly pageOf: (stretch: ReadonlyArray<StoredRow>, also: ReadonlyArray<StoredRow>) => Page<Row>
}

const plannedPage = <Row>(model: ReadModel<Row>, request: PageRequest): PlannedPage<Row> => {
  const { merchantId, environment, listedUnder = null, status = null, lookupKey = null, limit } = request
  const isBackward = request.endingBefore !== undefined
  const { above, below } = boundsOf(model, request)
  // The far end is not for SQL: with two of them it is led to an index that holds other rows as well.
  const start = isBackward ? above : below
  return {
    query: { listedUnder, status, lookupKey, start, isBackward },
    values: { merchantId, environment, listedUnder, status, lookupKey, start, rows: limit + 1 },
    pageOf: (stretch, also) => {
      const found = merged(stretch, also.filter(isKept(request)), isBackward)
        .map((row) => decodeRow(model, row))
        .filter(({ id }) => (above === null || id > above) && (below === null || id < below))
      const rows = found.slice(0, limit)
      return { rows: isBackward ? rows.reverse() : rows, hasMore: found.length > limit }
    },
  }
}

/** Whether the filters keep a row, whatever its look-up key is. */
const isKept =
  ({ merchantId, environment, listedUnder, status }: PageRequest) =>
  (row: StoredRow): boolean =>
    row.merchant_id === merchantId &&
    row.environment === environment &&
    (listedUnder === undefined || row.listed_under === listedUnder) &&
    (status === undefined || row.status === status)

/** A stretch and further rows, in the order in which the stretch was read. */
const merged = (
  stretch: ReadonlyArray<StoredRow>,
  also: ReadonlyArray<StoredRow>,
  isBackward: boolean,
): ReadonlyArray<StoredRow> => {
  if (also.length === 0) return stretch
  const others = stretch.filter(({ id }) => also.every((each) => each.id !== id))
  const direction = isBackward ? 1 : -1
  return [...others, ...also].toSorted((one, other) => (String(one.id) < String(other.id) ? -direction : direction))
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

/** Pages of one shape have the same SQL. */
const shapeOf = ({ listedUnder, status, lookupKey, start, isBackward }: PageQuery): string =>
  [listedUnder !== null, status !== null, lookupKey !== null, start !== null, isBackward].join()

export const pageQuery = (
  dialect: Dialect,
  table: string,
  { listedUnder, status, lookupKey, start, isBackward }: PageQuery,
) => {
  // A look-up key leads to so few rows that no other index is to be preferred.
  const owner = (column: string) => (lookupKey === null ? sql.ref<string>(column) : dialect.apart(column))
  let query = dialect.builder
    .selectFrom(table)
    .selectAll()
    .where(owner('merchant_id'), '=', given<string>('merchantId'))
    .where(owner('environment'), '=', given<string>('environment'))
  if (listedUnder !== null) query = query.where('listed_under', '=', given<string>('listedUnder'))
  if (status !== null) query = query.where('status', '=', given<string>('status'))
  if (lookupKey !== null) query = query.where('lookup_key', '=', given<string>('lookupKey'))
  if (start !== null) query = query.where('id', isBackward ? '>' : '<', given<string>('start'))
  return query
    .orderBy('id', isBackward ? 'asc' : 'desc')
    .limit(given<number>('rows'))
    .compile()
}

import { sql } from 'kysely'
import { given, type Values } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import type { Reading } from '../reading.ts'
import { decodeRow, type StoredRow, tableName } from '../table-rows.ts'
import type { FeedPage, FeedRequest, PublicEvent, PublicEvents } from './public-event.ts'
import { behindPlaces, firstPlace, placeOf, publicEventIn, publicEventTable } from './public-event-row.ts'

/** Opens the feed. */
export const publicEvents = (reading: Reading): PublicEvents => {
  const queries = feedQueries(reading.dialect)
  const withId = reading.prepare(queries.withId)
  const next = reading.prepare(queries.next)
  const atPlaces = reading.prepare(queries.atPlaces)
  const pages = {
    all: reading.prepare(queries.all),
    some: reading.prepare(queries.some),
    someOfResource: reading.prepare(queries.someOfResource),
    byType: reading.prepare(queries.byType),
    byResource: reading.prepare(queries.byResource),
    byBoth: reading.prepare(queries.byBoth),
  }
  return {
    withId: async (id) => {
      const row = await withId.get({ id })
      return row === undefined ? null : announced(row)
    },
    page: async (request) => feedPageOf(await pages[feedQueryFor(request)].all(feedValues(request)), request),
    of: async ({ merchantId, environment }, positions) => {
      const places = positions.flatMap((position) => ordinals.map((ordinal) => placeOf(position, ordinal)))
      return (await atPlaces.all({ merchantId, environment, among: JSON.stringify(places) })).map(announced)
    },
    next: async (after, limit) => (await next.all({ after: after ?? firstPlace, limit })).map(announced),
  }
}

/** More than any event of the log gives public events. */
const ordinals = [0, 1, 2, 3, 4, 5, 6, 7]

/** The queries of the feed. */
export const feedQueries = ({ builder, apart, ofEveryone, textsIn }: Dialect) => {
  const from = builder.selectFrom(tableName(publicEventTable)).selectAll()
  const oldestFirst = from.where('id', '>', given<string>('after')).orderBy('id').limit(given<number>('limit'))
  const ofMerchant = oldestFirst
    .where('merchant_id', '=', given<string>('merchantId'))
    .where('environment', '=', given<string>('environment'))
  const ofResource = ofMerchant.where('listed_under', '=', given<string>('resourceId'))
  // A resource has few events, a type many: those of the type are not to be looked for by the index of types.
  const isAmong = sql<boolean>`${apart('status')} IN (${textsIn(given<string>('among'))})`
  return {
    atPlaces: from
      .where('id', 'in', sql<string>`(${textsIn(given<string>('among'))})`)
      .where('merchant_id', '=', given<string>('merchantId'))
      .where('environment', '=', given<string>('environment'))
      .orderBy('id')
      .compile(),
    withId: from.where('lookup_key', '=', given<string>('id')).compile(),
    next: from
      .where(ofEveryone.after(given<string>('after')))
      .where(ofEveryone.before(behindPlaces))
      .orderBy(ofEveryone.order)
      .limit(given<number>('limit'))
      .compile(),
    all: ofMerchant.compile(),
    some: ofMerchant.where(isAmong).compile(),
    someOfResource: ofResource.where(isAmong).compile(),
    byType: ofMerchant.where('status', '=', given<string>('type')).compile(),
    byResource: ofResource.compile(),
    byBoth: ofResource.where(apart('status'), '=', given<string>('type')).compile(),
  }
}

/** Which of the queries answers a request. */
const feedQueryFor = ({ type, among = null, resourceId }: FeedRequest) => {
  if (among !== null) return resourceId === null ? 'some' : 'someOfResource'
  if (resourceId === null) return type === null ? 'all' : 'byType'
  return type === null ? 'byResource' : 'byBoth'
}

const feedValues = (request: FeedRequest): Values => {
  const { merchantId, environment, after, type, among = null, resourceId, limit } = request
  const types = among?.filter((each) => type === null || each === type) ?? []
  return {
    merchantId,
    environment,
    resourceId,
    type,
    after: after ?? firstPlace,
    among: JSON.stringify(types),
    limit: limit + 1,
  }
}

/** The page of rows that were read by `feedValues`, one more than the request's limit where there are more. */
const feedPageOf = (rows: ReadonlyArray<StoredRow>, { limit }: FeedRequest): FeedPage => ({
  publicEvents: rows.slice(0, limit).map(announced),
  hasMore: rows.length > limit,
})

const announced = (row: StoredRow): PublicEvent => publicEventIn(decodeRow(publicEventTable, row))

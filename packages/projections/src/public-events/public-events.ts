import type { SqlDatabase } from '@quittance/event-store'
import { type Compilable, sql } from 'kysely'
import { given, prepare, type Values } from '../compile.ts'
import { type Dialect, sqlite } from '../dialect.ts'
import { decodeRow, type StoredRow, tableName } from '../table-rows.ts'
import type { FeedPage, FeedRequest, PublicEvent, PublicEvents } from './public-event.ts'
import { behindPlaces, firstPlace, publicEventIn, publicEventTable } from './public-event-row.ts'

/** Opens the feed over a connection that reads. */
export const publicEvents = (database: SqlDatabase): PublicEvents => {
  const queries = feedQueries(sqlite)
  const withId = prepare(database, queries.withId)
  const next = prepare(database, queries.next)
  const pages = {
    all: prepare(database, queries.all),
    some: prepare(database, queries.some),
    someOfResource: prepare(database, queries.someOfResource),
    byType: prepare(database, queries.byType),
    byResource: prepare(database, queries.byResource),
    byBoth: prepare(database, queries.byBoth),
  }
  return {
    withId: (id) => {
      const row = withId.get({ id })
      return row === undefined ? null : announced(row)
    },
    page: (request) => feedPageOf(pages[feedQueryFor(request)].all(feedValues(request)), request),
    next: (after, limit) => next.all({ after: after ?? firstPlace, limit }).map(announced),
  }
}

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
    withId: from.where('lookup_key', '=', given<string>('id')),
    next: from
      .where(ofEveryone.after(given<string>('after')))
      .where(ofEveryone.before(behindPlaces))
      .orderBy(ofEveryone.order)
      .limit(given<number>('limit')),
    all: ofMerchant,
    some: ofMerchant.where(isAmong),
    someOfResource: ofResource.where(isAmong),
    byType: ofMerchant.where('status', '=', given<string>('type')),
    byResource: ofResource,
    byBoth: ofResource.where(apart('status'), '=', given<string>('type')),
  } satisfies Record<string, Compilable>
}

/** Which of the queries answers a request. */
export const feedQueryFor = ({ type, among = null, resourceId }: FeedRequest) => {
  if (among !== null) return resourceId === null ? 'some' : 'someOfResource'
  if (resourceId === null) return type === null ? 'all' : 'byType'
  return type === null ? 'byResource' : 'byBoth'
}

export const feedValues = (request: FeedRequest): Values => {
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
export const feedPageOf = (rows: ReadonlyArray<StoredRow>, { limit }: FeedRequest): FeedPage => ({
  publicEvents: rows.slice(0, limit).map(announced),
  hasMore: rows.length > limit,
})

export const announced = (row: StoredRow): PublicEvent => publicEventIn(decodeRow(publicEventTable, row))

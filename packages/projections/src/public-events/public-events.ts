import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { sql } from 'kysely'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { decodeRow, tableName } from '../table-rows.ts'
import type { PublicEvent, PublicEvents } from './public-event.ts'
import { behindPlaces, firstPlace, publicEventIn, publicEventTable } from './public-event-row.ts'

/** Opens the feed over a connection that reads. */
export const publicEvents = (database: SqlDatabase): PublicEvents => {
  const from = sqlBuilder.selectFrom(tableName(publicEventTable)).selectAll()
  const oldestFirst = from.where('id', '>', given<string>('after')).orderBy('id').limit(given<number>('limit'))
  const ofMerchant = oldestFirst
    .where('merchant_id', '=', given<string>('merchantId'))
    .where('environment', '=', given<string>('environment'))
  const ofResource = ofMerchant.where('listed_under', '=', given<string>('resourceId'))
  const withId = prepare(database, from.where('lookup_key', '=', given<string>('id')))
  const next = prepare(database, oldestFirst.where('id', '<', behindPlaces))
  const all = prepare(database, ofMerchant)
  const isAmong = sql<boolean>`+status IN (SELECT value FROM json_each(${given<string>('among')}))`
  const some = prepare(database, ofMerchant.where(isAmong))
  const someOfResource = prepare(database, ofResource.where(isAmong))
  const byType = prepare(database, ofMerchant.where('status', '=', given<string>('type')))
  const byResource = prepare(database, ofResource)
  // A resource has few events, a type many: the plus keeps SQLite from looking for those of the type.
  const byBoth = prepare(database, ofResource.where(sql`+status`, '=', given<string>('type')))

  const pageOf = (type: string | null, resourceId: string | null) => {
    if (resourceId === null) return type === null ? all : byType
    return type === null ? byResource : byBoth
  }
  return {
    withId: (id) => {
      const row = withId.get({ id })
      return row === undefined ? null : announced(row)
    },
    page: ({ merchantId, environment, after, type, among = null, resourceId, limit }) => {
      const asked = { merchantId, environment, resourceId, after: after ?? firstPlace, limit: limit + 1 }
      const types = among?.filter((each) => type === null || each === type)
      const found =
        types === undefined
          ? pageOf(type, resourceId).all({ ...asked, type })
          : (resourceId === null ? some : someOfResource).all({ ...asked, among: JSON.stringify(types) })
      return { publicEvents: found.slice(0, limit).map(announced), hasMore: found.length > limit }
    },
    next: (after, limit) => next.all({ after: after ?? firstPlace, limit }).map(announced),
  }
}

const announced = (row: SqlRow): PublicEvent => publicEventIn(decodeRow(publicEventTable, row))

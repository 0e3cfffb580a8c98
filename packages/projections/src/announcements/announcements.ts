import type { SqlDatabase } from '@quittance/event-store'
import { given, prepare, sqlBuilder } from '../compile.ts'
import { pageReader } from '../pages.ts'
import { decodeRow, tableName } from '../table-rows.ts'
import type { Announcements } from './announcement.ts'
import { announcementIn, announcementTable, behindPlaces, firstPlace } from './announcement-row.ts'

/** Opens the feed over a connection that reads. */
export const announcements = (database: SqlDatabase): Announcements => {
  const newestFirst = pageReader(database, announcementTable)
  const from = sqlBuilder.selectFrom(tableName(announcementTable)).selectAll()
  const withId = prepare(database, from.where('lookup_key', '=', given<string>('id')))
  const following = prepare(
    database,
    from
      .where('id', '>', given<string>('after'))
      .where('id', '<', behindPlaces)
      .orderBy('id')
      .limit(given<number>('limit')),
  )
  return {
    withId: (id) => {
      const row = withId.get({ id })
      return row === undefined ? null : announcementIn(decodeRow(announcementTable, row))
    },
    page: ({ merchantId, environment, after, type, resourceId, limit }) => {
      const { rows, hasMore } = newestFirst({
        merchantId,
        environment,
        endingBefore: after ?? firstPlace,
        ...(type === null ? {} : { status: type }),
        ...(resourceId === null ? {} : { customerId: resourceId }),
        limit,
      })
      return { announcements: rows.toReversed().map(announcementIn), hasMore }
    },
    following: (after, limit) =>
      following
        .all({ after: after ?? firstPlace, limit })
        .map((row) => announcementIn(decodeRow(announcementTable, row))),
  }
}

import { postgres } from '../dialect.ts'
import type { PublicEvents } from '../public-events/public-event.ts'
import { firstPlace } from '../public-events/public-event-row.ts'
import { announced, feedPageOf, feedQueries, feedQueryFor, feedValues } from '../public-events/public-events.ts'
import type { Asynchronous } from './asynchronous.ts'
import { type PostgresReading, prepare } from './prepare.ts'

export const postgresPublicEvents = (reading: PostgresReading): Asynchronous<PublicEvents> => {
  const queries = feedQueries(postgres)
  const withId = prepare(reading, queries.withId)
  const next = prepare(reading, queries.next)
  const pages = {
    all: prepare(reading, queries.all),
    some: prepare(reading, queries.some),
    someOfResource: prepare(reading, queries.someOfResource),
    byType: prepare(reading, queries.byType),
    byResource: prepare(reading, queries.byResource),
    byBoth: prepare(reading, queries.byBoth),
  }
  return {
    withId: async (id) => (await withId.all({ id })).map(announced)[0] ?? null,
    page: async (request) => feedPageOf(await pages[feedQueryFor(request)].all(feedValues(request)), request),
    next: async (after, limit) => (await next.all({ after: after ?? firstPlace, limit })).map(announced),
  }
}

import type { Billing } from '@quittance/billing'
import { Event, EventType, id, listOf, optional, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError, invalid } from '../wire/errors.ts'
import { limit } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

/** What has happened, as endpoints are told of it. */
export const eventRoutes = ({ events }: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/events',
    summary: 'List what has happened, oldest first',
    auth: keyed('events:read'),
    query: t.type({
      limit,
      after: says('The id of the event after which to begin.', optional(t.string)),
      type: says('Only events of a type.', optional(EventType)),
      resource_id: says('Only those of a resource, by their `resource_id`.', optional(t.string)),
    }),
    answer: listOf(Event),
    handler: async ({ principal, query: { after, type, resource_id: resourceId, limit } }) => {
      const { merchantId, environment } = principal()
      const request = { merchantId, environment, after, type, resourceId, limit }
      const { resources, hasMore } = await answerOf(events.list(request)).catch(refusingCursor)
      return { object: 'list' as const, data: resources, has_more: hasMore, url: '/events' }
    },
  }),
  route({
    method: 'GET',
    path: '/events/:id',
    summary: 'Retrieve an event',
    auth: keyed('events:read'),
    params: { id: id('evt_') },
    answer: Event,
    handler: ({ param, principal }) => answerOf(events.retrieve(principal(), param('id'))),
  }),
]

/** What is not found here is the cursor. */
const refusingCursor = (error: unknown): never => {
  if (!(error instanceof HttpError) || error.status !== 404) throw error
  throw invalid('after', '"after" must be the id of an event')
}

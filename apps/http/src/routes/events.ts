import type { Billing } from '@quittance/billing'
import { Event, EventType, id, listOf, optional, says, text } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { HttpError, invalid } from '../wire/errors.ts'
import { limit } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

/** Public events, as webhooks deliver them. An app token finds those of the resources that it may read. */
export const eventRoutes = ({ events }: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/events',
    summary: 'List what has happened, oldest first',
    auth: keyed('events:read'),
    query: t.type({
      limit,
      after: says('The id of the event after which to begin.', optional(t.string)),
      starting_after: says('The same, as lists have it.', optional(t.string)),
      type: says('Only events of a type.', optional(EventType)),
      resource_id: says('Only those of a resource, by their `resource_id`.', optional(text(100))),
    }),
    answer: listOf(Event),
    handler: async ({ principal, reads, query: { after, starting_after, type, resource_id: resourceId, limit } }) => {
      if (after !== null && starting_after !== null) {
        throw invalid('starting_after', 'Give "after" or "starting_after", not both')
      }
      const { merchantId, environment } = principal()
      const request = {
        merchantId,
        environment,
        after: after ?? starting_after,
        type,
        resourceId,
        limit,
        reads: reads(),
      }
      const cursor = after === null ? 'starting_after' : 'after'
      const { resources, hasMore } = await answerOf(events.list(request)).catch(refusing(cursor))
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
    handler: ({ param, principal, reads }) => answerOf(events.retrieve(principal(), param('id'), reads())),
  }),
]

/** An event that is not found here is the cursor. */
const refusing =
  (cursor: 'after' | 'starting_after') =>
  (error: unknown): never => {
    if (!(error instanceof HttpError) || error.status !== 404) throw error
    throw invalid(cursor, `"${cursor}" must be the id of an event`)
  }

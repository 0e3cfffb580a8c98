import { id, listOf, says, text } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerPage, page } from '../wire/lists.ts'
import { nobodyHas, none, noRecord } from '../wire/nothing-yet.ts'
import { type Route, route } from '../wire/route.ts'

const params = { id: id('sub_') }
const handler = nobodyHas('subscription')

/** Subscriptions cannot be sold yet: nobody has one. */
export const subscriptionRoutes: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/subscriptions',
    summary: 'List the subscriptions of a customer',
    auth: keyed('subscriptions:read'),
    query: t.type({ ...page, customer_id: says('The customer.', text(100)) }),
    answer: listOf(noRecord),
    handler: ({ principal, query }) => answerPage('/subscriptions', principal(), query, none),
  }),
  route({
    method: 'GET',
    path: '/subscriptions/:id',
    summary: 'Retrieve a subscription',
    auth: keyed('subscriptions:read'),
    params,
    answer: noRecord,
    handler,
  }),
  route({
    method: 'PUT',
    path: '/subscriptions/:id',
    summary: 'Change a subscription',
    auth: keyed('subscriptions:write'),
    params,
    answer: noRecord,
    handler,
  }),
  ...(['cancel', 'pause', 'resume'] as const).map((action) =>
    route({
      method: 'POST',
      path: `/subscriptions/:id/${action}` as const,
      summary: `${action[0]?.toUpperCase()}${action.slice(1)} a subscription`,
      auth: keyed('subscriptions:write'),
      params,
      answer: noRecord,
      handler,
    }),
  ),
]

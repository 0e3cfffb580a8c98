import type { Billing } from '@quittance/billing'
import { id, listOf, NewRefund, optional, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerPage, page } from '../wire/lists.ts'
import { nobodyHas, none, noRecord } from '../wire/nothing-yet.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Payments cannot be given back yet: there is no refund, and none is made. */
export const refundRoutes = (billing: Billing): ReadonlyArray<Route> => [
  command(billing, {
    method: 'POST',
    path: '/refunds',
    summary: 'Give a payment back: not available yet',
    auth: keyed('refunds:write'),
    body: NewRefund,
    answer: noRecord,
    problems: ['not_found', 'payment_not_confirmed', 'refunds_not_available'],
    fields: { payment: 'payment_id' },
    handler: (context, { payment_id }) => billing.requestRefund(context, payment_id),
  }),
  route({
    method: 'GET',
    path: '/refunds',
    summary: 'List refunds',
    auth: keyed('refunds:read'),
    query: t.type({ ...page, payment_id: says('Only those of a payment.', optional(t.string)) }),
    answer: listOf(noRecord),
    handler: ({ principal, query }) => answerPage('/refunds', principal(), query, none),
  }),
  route({
    method: 'GET',
    path: '/refunds/:id',
    summary: 'Retrieve a refund',
    auth: keyed('refunds:read'),
    params: { id: id('rf_') },
    answer: noRecord,
    handler: nobodyHas('refund'),
  }),
]

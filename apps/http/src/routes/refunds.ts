import type { Billing } from '@quittance/billing'
import {
  id,
  listOf,
  NewRefund,
  optional,
  Refund,
  RefundReceipt,
  RefundStatus,
  says,
  text,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed, mayNameAnyAddress } from '../wire/auth.ts'
import { ofDestinations, ofLedger } from '../wire/declared-codes.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Full refunds of payments, to the wallet that paid or another. */
export const refundRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { refunds } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/refunds',
      summary: 'Give a payment back, whole',
      auth: keyed('refunds:write'),
      body: NewRefund,
      answer: Refund,
      receipt: RefundReceipt,
      problems: [
        'not_found',
        'invalid_metadata',
        'payment_not_confirmed',
        'refund_exists',
        'perhaps_paid',
        'payment_set_aside',
        'payment_before_reset',
        'credits_spent',
        'destination_not_allowed',
        ...ofDestinations,
        'insufficient_funds',
        'sender_unknown',
        ...ofLedger,
      ],
      fields: { payment: 'payment_id', destination: 'wallet_address' },
      handler: (context, { payment_id, reason, wallet_address, metadata }, { principal }) =>
        refunds.request(context, {
          paymentId: payment_id,
          reason,
          destination: wallet_address,
          mayNameAnyAddress: mayNameAnyAddress(principal()),
          metadata: metadata ?? {},
        }),
    }),
    command(billing, {
      method: 'POST',
      path: '/refunds/:id/cancel',
      summary: 'Cancel a refund that waits',
      auth: keyed('refunds:write'),
      params: { id: id('rf_') },
      answer: Refund,
      receipt: RefundReceipt,
      problems: ['refund_not_cancelable'],
      handler: (context, _, { param }) => refunds.cancel(context, param('id')),
    }),
    route({
      method: 'GET',
      path: '/refunds',
      summary: 'List refunds',
      auth: keyed('refunds:read'),
      query: t.type({
        ...page,
        ...momentQuery,
        payment_id: says('Only those of a payment.', optional(text(100))),
        status: says('Only those with this status.', optional(RefundStatus)),
      }),
      answer: listOf(Refund),
      handler: ({ principal, query: { payment_id, status, ...query } }) => {
        const { list, retrieve } = readableAt(billing, query).refunds
        return answerPage('/refunds', principal(), query, {
          list: (request) => list({ ...request, ...(status === null ? {} : { status }) }, payment_id),
          retrieve,
        })
      },
    }),
    record({
      path: '/refunds/:id',
      summary: 'Retrieve a refund',
      auth: keyed('refunds:read'),
      id: id('rf_'),
      of: Refund,
      from: atMoment(billing, (then) => then.refunds),
    }),
  ]
}

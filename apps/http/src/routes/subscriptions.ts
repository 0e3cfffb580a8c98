import { type Billing, type Principal, visiblePayment } from '@quittance/billing'
import type { Reads } from '@quittance/billing/scopes'
import {
  Cancellation,
  ChangedSubscription,
  id,
  listOf,
  optional,
  Subscription,
  SubscriptionDetail,
  SubscriptionFact,
  SubscriptionReceipt,
  SubscriptionStatus,
  says,
  text,
} from '@quittance/client/wire'
import type { CatchUp } from '@quittance/host'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, page } from '../wire/lists.ts'
import { isOfPast, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'
import { caughtUp } from './payments.ts'

const params = { id: id('sub_') }
const listed = {
  ...page,
  ...momentQuery,
  status: says('Only those with this status.', optional(SubscriptionStatus)),
}
const ListQuery = t.type(listed)
type ListQuery = t.TypeOf<typeof ListQuery>
const auth = keyed('subscriptions:write')

type Detail = t.OutputOf<typeof SubscriptionDetail>

/** A subscription without the related resources that the reader may not read. */
const visibleDetail = (reads: Reads, detail: Detail): Detail => {
  const { related_resources: related, last_attempt: payment } = detail
  return {
    ...detail,
    related_resources: { ...related, product: reads('products') ? related.product : null },
    last_attempt: payment !== null && reads('payments') ? visiblePayment(reads, payment) : null,
  }
}

/** Subscriptions, which checkouts create. */
export const subscriptionRoutes = (billing: Billing, catchUp: CatchUp): ReadonlyArray<Route> => {
  const { subscriptions } = billing
  const answerList = (
    url: string,
    principal: Principal,
    { status, ...query }: ListQuery,
    only: { readonly listedUnder?: string },
  ) => {
    const { list, find } = readableAt(billing, query).subscriptions
    return answerPage(url, principal, query, {
      list: (request) => list({ ...request, ...only, ...(status === null ? {} : { status }) }),
      retrieve: find,
    })
  }
  return [
    route({
      method: 'GET',
      path: '/subscriptions',
      summary: 'List the subscriptions of a customer',
      auth: keyed('subscriptions:read'),
      query: t.type({ ...listed, customer_id: says('The customer.', text(100)) }),
      answer: listOf(Subscription),
      handler: ({ principal, query: { customer_id, ...query } }) =>
        answerList('/subscriptions', principal(), query, { listedUnder: customer_id }),
    }),
    route({
      method: 'GET',
      path: '/reports/subscriptions',
      summary: 'List the subscriptions of all customers',
      auth: keyed('subscriptions:read'),
      query: ListQuery,
      answer: listOf(Subscription),
      handler: ({ principal, query }) => answerList('/reports/subscriptions', principal(), query, {}),
    }),
    route({
      method: 'GET',
      path: '/subscriptions/:id',
      summary: 'Retrieve a subscription, as the ledger shows its authorisation, or as it was at a moment',
      auth: keyed('subscriptions:read'),
      params,
      query: t.type(momentQuery),
      answer: SubscriptionDetail,
      handler: async ({ param, principal, reads, query, request }) => {
        const { environment } = principal()
        const read = () => caughtUp(catchUp, environment, request.log)
        return visibleDetail(
          reads(),
          await answerOf(
            isOfPast(query)
              ? readableAt(billing, query).subscriptions.retrieve(principal(), param('id'))
              : subscriptions.retrieve(principal(), param('id'), read),
          ),
        )
      },
    }),
    route({
      method: 'GET',
      path: '/subscriptions/:id/history',
      summary: 'All that happened to a subscription, and why, oldest first',
      auth: keyed('subscriptions:read'),
      params,
      answer: listOf(SubscriptionFact),
      handler: async ({ param, principal }) => ({
        object: 'list' as const,
        data: await answerOf(subscriptions.history(principal(), param('id'))),
        has_more: false,
        url: `/subscriptions/${param('id')}/history`,
      }),
    }),
    command(billing, {
      method: 'PUT',
      path: '/subscriptions/:id',
      summary: 'Change a subscription: end it with its period or not, its metadata, its product',
      auth,
      params,
      body: ChangedSubscription,
      answer: Subscription,
      receipt: SubscriptionReceipt,
      problems: [
        'not_found',
        'invalid_metadata',
        'not_a_subscription_product',
        'product_archived',
        'already_subscribed',
        'asset_mismatch',
        'currency_mismatch',
        'subscription_canceled',
        'subscription_status',
        'authorization_revoked',
        'cancellation_due',
        'amount_too_large',
        'rate_unavailable',
        'merchant_not_ready',
        'network_not_configured',
      ],
      fields: { product: 'product_id' },
      handler: (context, { cancel_at_period_end, product_id, metadata }, { param }) =>
        subscriptions.update(context, param('id'), {
          cancelAtPeriodEnd: cancel_at_period_end,
          productId: product_id,
          metadata,
        }),
    }),
    command(billing, {
      method: 'POST',
      path: '/subscriptions/:id/cancel',
      summary: 'End a subscription with its period, or now',
      auth,
      params,
      body: Cancellation,
      answer: Subscription,
      receipt: SubscriptionReceipt,
      problems: ['not_found'],
      handler: (context, { at }, { param }) => subscriptions.cancel(context, param('id'), at ?? 'period_end'),
    }),
    command(billing, {
      method: 'POST',
      path: '/subscriptions/:id/pause',
      summary: 'Pause a subscription at once: nothing is charged until it is resumed',
      auth,
      params,
      answer: Subscription,
      receipt: SubscriptionReceipt,
      problems: ['not_found', 'subscription_canceled'],
      handler: (context, _, { param }) => subscriptions.pause(context, param('id')),
    }),
    command(billing, {
      method: 'POST',
      path: '/subscriptions/:id/resume',
      summary: 'Resume a paused subscription: at once where it is paid for, else once its charge is confirmed',
      auth,
      params,
      answer: Subscription,
      receipt: SubscriptionReceipt,
      problems: ['not_found', 'subscription_canceled', 'subscription_not_paused', 'cancellation_due'],
      handler: (context, _, { param }) => subscriptions.resume(context, param('id')),
    }),
    command(billing, {
      method: 'POST',
      path: '/subscriptions/:id/change_wallet',
      summary: 'Let another wallet sign for a subscription, at its update_url; the present one is charged until then',
      auth,
      params,
      answer: Subscription,
      receipt: SubscriptionReceipt,
      problems: ['not_found', 'subscription_canceled'],
      handler: (context, _, { param }) => subscriptions.changeWallet(context, param('id')),
    }),
  ]
}

import type { Billing } from '@quittance/billing'
import {
  id,
  listOf,
  NewPriceChange,
  optional,
  PriceChange,
  PriceChangeReceipt,
  PriceChangeStep,
  PriceChangeSubscription,
  says,
  text,
} from '@quittance/client/wire'
import type { PageRequest, Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofPrices } from '../wire/declared-codes.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Subscriptions are listed by their own moments, which say nothing of the price change. */
const { 'created[gte]': _from, 'created[lt]': _before, ...entries } = page
const ofAnyTime = { 'created[gte]': null, 'created[lt]': null }

const params = { id: id('prc_') }
const auth = keyed('products:write')
const fields = {
  amount: 'price_amount',
  amountCents: 'price_amount_cents',
  asset: 'asset_id',
  product: 'product_id',
}

/** New prices for the subscribers that a product has. Changing the product itself concerns new sales only. */
export const priceChangeRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { priceChanges } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/price_changes',
      summary: 'Announce a new price, currency or asset to the subscribers of a product',
      auth,
      body: NewPriceChange,
      answer: PriceChange,
      receipt: PriceChangeReceipt,
      problems: [
        'not_found',
        'notice_too_short',
        'not_a_subscription_product',
        'amount_missing',
        ...ofPrices,
        'unsupported_asset',
        'merchant_not_ready',
        'network_not_configured',
        'subscriptions_not_available',
        'ledger_unavailable',
        'sales_frozen',
      ],
      fields,
      handler: (context, body) =>
        priceChanges.schedule(context, {
          productId: body.product_id,
          price:
            body.price_amount === null && body.price_amount_cents === null
              ? null
              : { amount: body.price_amount, amountCents: body.price_amount_cents },
          currency: body.currency_code,
          assetId: body.asset_id,
          recurringPeriod: body.recurring_period,
          effectiveAt: body.effective_at,
          withoutConsent: body.without_consent,
        }),
    }),
    route({
      method: 'GET',
      path: '/price_changes',
      summary: 'List price changes',
      auth: keyed('products:read'),
      query: t.type({ ...page, ...momentQuery, product_id: says('Of one product.', optional(text(100))) }),
      answer: listOf(PriceChange),
      handler: ({ principal, query: { product_id, ...query } }) => {
        const { list, retrieve } = readableAt(billing, query).priceChanges
        return answerPage('/price_changes', principal(), query, {
          list: (request) => list({ ...request, ...(product_id === null ? {} : { listedUnder: product_id }) }),
          retrieve,
        })
      },
    }),
    record({
      path: '/price_changes/:id',
      summary: 'Retrieve a price change, with the numbers of subscriptions by progress',
      auth: keyed('products:read'),
      id: params.id,
      of: PriceChange,
      from: atMoment(billing, (then) => then.priceChanges),
    }),
    route({
      method: 'GET',
      path: '/price_changes/:id/subscriptions',
      summary: 'List the subscriptions that have heard of a price change, and how far each is',
      auth: keyed('subscriptions:read'),
      params,
      query: t.type({ ...entries, ...momentQuery, status: says('How far they are.', optional(PriceChangeStep)) }),
      answer: listOf(PriceChangeSubscription),
      handler: async ({ principal, param, query: { status, ...query } }) => {
        const id = param('id')
        const { retrieve, subscription, subscriptions } = readableAt(billing, query).priceChanges
        await answerOf(retrieve(principal(), id))
        const filter = { listedUnder: id, ...(status === null ? {} : { status }) }
        const from = {
          list: (request: PageRequest) => subscriptions({ ...request, ...filter }),
          retrieve: (scope: Scope, subscriptionId: string) => subscription(scope, id, subscriptionId),
        }
        return answerPage(`/price_changes/${id}/subscriptions`, principal(), { ...query, ...ofAnyTime }, from)
      },
    }),
    command(billing, {
      method: 'POST',
      path: '/price_changes/:id/cancel',
      summary: 'Cancel a price change: whoever waits for it keeps the old price',
      auth,
      params,
      answer: PriceChange,
      receipt: PriceChangeReceipt,
      handler: (context, _, { param }) => priceChanges.cancel(context, param('id')),
    }),
  ]
}

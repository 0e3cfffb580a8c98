import type { Billing } from '@quittance/billing'
import type { Reads } from '@quittance/billing/scopes'
import {
  Checkout,
  CheckoutReceipt,
  CheckoutStatus,
  id,
  NewDirectCheckout,
  NewProductCheckout,
  oneOf,
  says,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { ofPrices } from '../wire/declared-codes.ts'
import { HttpError } from '../wire/errors.ts'
import { list, record } from '../wire/lists.ts'
import { atMoment } from '../wire/moment.ts'
import { byQuery, command, type Route } from '../wire/route.ts'

type NewCheckout = t.TypeOf<typeof NewProductCheckout> | t.TypeOf<typeof NewDirectCheckout>

const optionsIn = (body: NewCheckout) => ({
  customer: { id: body.customer_id, email: body.customer_email, phone: body.customer_phone },
  redirectUrl: body.redirect_url,
  description: body.description,
  metadata: body.metadata,
})

/** Comparing the two would tell whoever may not read customers whether a guessed email is that of a customer. */
const ensureMayCompare = ({ customer_id, customer_email }: NewCheckout, reads: Reads): void => {
  if (customer_id === null || customer_email === null || reads('customers')) return
  const remedy = 'leave "customer_id" or "customer_email" out'
  const message = `The app token lacks the scope customers:read, which comparing an email with a customer's needs: ${remedy}`
  throw new HttpError(403, 'scope_missing', message, { param: 'customer_email' })
}

const fields = {
  customer: 'customer_id',
  product: 'product_id',
  amount: 'amount',
  amountCents: 'amount_cents',
  asset: 'currency_code',
  trial: 'subscription_data',
}
const params = { id: id('chk_') }

/** What other services call the fields of a checkout. */
const nearMisses = {
  otherNames: {
    success_url: 'redirect_url',
    return_url: 'redirect_url',
    product: 'product_id',
    email: 'customer_email',
    phone: 'customer_phone',
    currency: 'currency_code',
    price_amount: 'amount',
    price_amount_cents: 'amount_cents',
    subscription: 'subscription_data',
  },
  inside: {
    subscription_data: {
      known: ['trial_days'],
      otherNames: { trial: 'trial_days', trial_period: 'trial_days', trial_end: 'trial_days' },
    },
  },
  ofOthers: { product_id: '?type=product', subscription_data: '?type=product' },
}

export const checkoutRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { checkouts } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/checkout',
      summary: 'Create a checkout for a product or for an amount',
      auth: keyed('checkouts:write'),
      query: t.type({ type: says('Whether it is for a product or for an amount.', oneOf('product', 'direct')) }),
      body: byQuery('type', { product: NewProductCheckout, direct: NewDirectCheckout }),
      nearMisses,
      answer: Checkout,
      receipt: CheckoutReceipt,
      problems: [
        'not_found',
        'email_mismatch',
        'amount_missing',
        ...ofPrices,
        'unsupported_asset',
        'trial_not_allowed',
        'trial_too_long',
        'merchant_not_ready',
        'sales_frozen',
        'network_not_configured',
        'ledger_unavailable',
        'product_archived',
        'subscriptions_not_available',
        'already_subscribed',
      ],
      fields,
      handler: (context, { chosen, body }, { reads }) => {
        ensureMayCompare(body, reads())
        return chosen === 'product'
          ? checkouts.createForProduct(context, body.product_id, {
              ...optionsIn(body),
              trialDays: body.subscription_data?.trial_days ?? null,
            })
          : checkouts.createDirect(
              context,
              { amount: body.amount, amountCents: body.amount_cents },
              body.currency_code,
              optionsIn(body),
            )
      },
    }),
    list({
      path: '/checkout',
      summary: 'List checkouts',
      auth: keyed('checkouts:read'),
      of: Checkout,
      from: atMoment(billing, (then) => then.checkouts),
      status: CheckoutStatus,
      byCustomer: true,
    }),
    record({
      path: '/checkout/:id',
      summary: 'Retrieve a checkout',
      auth: keyed('checkouts:read'),
      id: params.id,
      of: Checkout,
      from: atMoment(billing, (then) => then.checkouts),
    }),
    command(billing, {
      method: 'POST',
      path: '/checkout/:id/expire',
      summary: 'End an open checkout before its deadline',
      auth: keyed('checkouts:write'),
      params,
      answer: Checkout,
      receipt: CheckoutReceipt,
      problems: ['checkout_not_open'],
      handler: (context, _, { param }) => checkouts.expire(context, param('id')),
    }),
  ]
}

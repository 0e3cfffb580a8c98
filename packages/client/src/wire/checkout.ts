import * as t from 'io-ts'
import { described, optional, orNull, says } from './codecs.ts'
import {
  assetCode,
  assetId,
  createdAt,
  customerId,
  decimal,
  environment,
  metadataOf,
  objectOf,
  paymentId,
  priceCurrency,
  subscriptionId,
} from './fields.ts'
import { count, digits, email, httpUrl, id, metadata, oneOf, phone, text, timestamp, trialDays } from './values.ts'

/** Where a checkout stands. */
export const CheckoutStatus = oneOf('open', 'completed', 'expired', 'failed')

const CheckoutPlan = t.type(
  {
    recurring_period: says('How often it is charged.', oneOf('day', 'week', 'month', 'year')),
    trial_days: says(
      'Days of trial, 0 for none. Whoever has had the trial before gets none: events do not look at that.',
      count,
    ),
  },
  'CheckoutPlan',
)

/** A session in which a customer pays. */
export const Checkout = t.type(
  {
    id: id('chk_'),
    object: objectOf('checkout'),
    customer_id: customerId,
    product_id: says('Of a product checkout only.', orNull(id('prod_'))),
    amount: says('Of a direct checkout only, in base units.', orNull(t.number)),
    amount_cents: says('`amount` × 100.', orNull(t.number)),
    currency_code: says(
      'Of a direct checkout only: what `amount` is stated in, a currency or the code of an asset.',
      orNull(t.string),
    ),
    price: says(
      'What is asked for, as it is stated: of a subscription, for each period.',
      t.type(
        {
          amount: says('In base units.', t.number),
          amount_cents: says('`amount` × 100.', t.number),
          currency_code: priceCurrency,
        },
        'CheckoutPrice',
      ),
    ),
    asset_id: assetId,
    asset_code: assetCode,
    amount_due: says(
      'What the customer would have to pay now, in units of the asset: by the quote that counts, else by the exchange rates of this moment, as `GET /pay/{id}/quote` would ask. `0` with a trial. Null once nothing can be paid any more, and without a rate: events ask for none.',
      orNull(decimal),
    ),
    plan: says('What a subscription is sold with; null of any other checkout.', orNull(CheckoutPlan)),
    status: says(
      '`open` until it is paid (`completed`), its time is over (`expired`), or it cannot be completed (`failed`).',
      CheckoutStatus,
    ),
    payment_url: says('Where to send the customer to pay.', t.string),
    redirect_url: says('Where the customer is sent after payment.', orNull(t.string)),
    description: says('Shown on the checkout page.', orNull(t.string)),
    metadata: metadataOf('checkout'),
    expires_at: says('When it expires: 24 hours after it was made.', timestamp),
    created_at: createdAt,
    completed_at: says('When it was completed.', orNull(timestamp)),
    failure_reason: says(
      'Why it has failed, for a program.',
      orNull(oneOf('underpaid', 'wrong_asset', 'authorization_failed', 'product_unavailable', 'network_reset')),
    ),
    payment_id: paymentId,
    subscription_id: subscriptionId,
    environment,
    late: says('Whether the payment came after the session had expired.', t.boolean),
    terms: says(
      'The terms that its page shows before payment; `accepted_at` is when the customer paid or signed. Null where the merchant had none.',
      orNull(
        t.type({
          url: says('Where customers read them.', t.string),
          version: says('Which they are.', t.string),
          accepted_at: says('When the customer paid or signed; null before.', orNull(timestamp)),
        }),
      ),
    ),
  },
  'Checkout',
)
export type Checkout = t.TypeOf<typeof Checkout>

const options = {
  customer_id: says('Left out: looked up or made by email or phone.', optional(text(100))),
  customer_email: says(
    'Whose checkout it is: a customer is looked up by it, or made. Beside `customer_id`: that customer’s own, which takes `customers:read`.',
    optional(email),
  ),
  customer_phone: says('As `customer_email`, by phone number. Not looked at beside `customer_id`.', optional(phone)),
  redirect_url: says('Visited after payment, with `checkout_id` added to its query.', optional(httpUrl)),
  description: says('Shown on the checkout page.', optional(text(5_000))),
  metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
}

const subscriptionData = described(
  t.type({ trial_days: optional(trialDays) }),
  'an object such as { "trial_days": 14 }: whole days, or 0 for no trial',
  {
    type: 'object',
    properties: {
      trial_days: {
        ...trialDays.schema,
        type: ['integer', 'null'],
        description: 'Days of trial; 0 for none. Left out: those of the product.',
      },
    },
  },
)

/** A new checkout for a product. */
export const NewProductCheckout = t.type(
  {
    product_id: says('What is sold.', text(100)),
    ...options,
    subscription_data: says('Of a subscription only: days of trial instead of its own.', optional(subscriptionData)),
  },
  'NewProductCheckout',
)

/** A new checkout for an amount. */
export const NewDirectCheckout = t.type(
  {
    currency_code: says('A currency, or an asset by its code or SEP-11 name.', text(70)),
    ...options,
    amount: says('In base units. This or `amount_cents`; if both, they must agree.', optional(digits)),
    amount_cents: says('The amount × 100, whatever the currency.', optional(digits)),
  },
  'NewDirectCheckout',
)

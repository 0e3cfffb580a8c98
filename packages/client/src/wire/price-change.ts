import * as t from 'io-ts'
import { optional, orNull, says, withDefault } from './codecs.ts'
import { assetId, createdAt, environment, objectOf, updatedAt } from './fields.ts'
import { count, currencyCode, id, moment, oneOf, price, priceCents, text, timestamp } from './values.ts'

const period = oneOf('day', 'week', 'month', 'year')
const WithoutConsent = oneOf('keep', 'cancel')
const withoutConsent = says(
  'What becomes of a subscription whose customer has not signed: it keeps the old price, or is canceled at the end of its period.',
  WithoutConsent,
)

/** A new price for the subscribers that a product has. What you leave out stays as the product has it now. */
export const NewPriceChange = t.type(
  {
    product_id: says('A product of type `subscription`.', text(100)),
    price_amount: says('In base units of the currency: 12.5 is 12.50.', optional(price)),
    price_amount_cents: says('The price × 100, instead.', optional(priceCents)),
    currency_code: says('Another one than the product’s needs a price.', optional(currencyCode)),
    asset_id: says('The asset that is collected. Each customer has to sign for another one.', optional(text(100))),
    recurring_period: says('Concerns the subscriptions with periods of this length.', optional(period)),
    effective_at: says('At least 30 days ahead. Counts for periods that begin then or later.', moment),
    without_consent: says(
      'Of subscriptions whose customer has to sign, and has not: `keep` the old price, unless you say `cancel`.',
      withDefault(WithoutConsent, 'keep'),
    ),
  },
  'NewPriceChange',
)

const PriceChangeProgress = t.type(
  {
    waiting: says('Will pay the new price from the next period on that begins after its date.', count),
    awaiting_consent: says('The customer has to sign a new mandate first.', count),
    changed: says('The new price counts.', count),
    kept: says('Kept the old price, for want of consent.', count),
    canceled: says('Canceled, for want of consent.', count),
    dropped: says('Ended, went to another product, or has a later price change; or this one was canceled.', count),
  },
  'PriceChangeProgress',
)

const priceChange = {
  id: id('prc_'),
  object: objectOf('price_change'),
  status: says('Whether it goes on.', oneOf('scheduled', 'canceled')),
  product_id: says('The product whose price changes.', id('prod_')),
  recurring_period: says('Of the subscriptions that it concerns.', period),
  price_amount: says('The new price in base units of the currency.', t.number),
  price_amount_cents: says('The new price × 100, whatever the currency.', t.number),
  currency_code: says('The currency of the new price, by ISO 4217.', t.string),
  asset_id: assetId,
  effective_at: says('The new price counts for periods that begin then or later.', timestamp),
  without_consent: withoutConsent,
  all_noticed: says('Whether every subscription has heard of it.', t.boolean),
  canceled_at: says('When it was canceled.', orNull(timestamp)),
  environment,
  created_at: createdAt,
  updated_at: updatedAt,
}

/** A price change, as its public events show it. */
export const PriceChangeFact = t.type(priceChange, 'PriceChangeFact')

/** A price change, and how many subscriptions are how far. */
export const PriceChange = t.type(
  { ...priceChange, progress: says('How many subscriptions are how far.', PriceChangeProgress) },
  'PriceChange',
)
export type PriceChange = t.TypeOf<typeof PriceChange>

/** Where a subscription stands in a price change. */
export const PriceChangeStep = oneOf('waiting', 'awaiting_consent', 'changed', 'kept', 'canceled', 'dropped')

/** How far one subscription is with a price change. */
export const PriceChangeSubscription = t.type(
  {
    id: says('The subscription.', id('sub_')),
    object: objectOf('price_change_subscription'),
    progress: says('How far it is.', PriceChangeStep),
    effective_at: says('From when on the new price counts for it: at least 30 days after the notice.', timestamp),
    noticed_at: says('When the subscription heard of it.', timestamp),
    accepted_at: says('When the customer has signed.', orNull(timestamp)),
    ended_at: says('When the price was changed, refused or dropped.', orNull(timestamp)),
    update_url: says('Where the customer signs, while that is wanted.', orNull(t.string)),
  },
  'PriceChangeSubscription',
)
export type PriceChangeSubscription = t.TypeOf<typeof PriceChangeSubscription>

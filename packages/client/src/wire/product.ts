import { count as countOf, positiveCount as positive } from '@quittance/domain/values'
import * as t from 'io-ts'
import { optional, orNull, says, unchanged, withDefault } from './codecs.ts'
import { assetId, createdAt, environment, isDeleted, metadataOf, objectOf, updatedAt } from './fields.ts'
import {
  count,
  currencyCode,
  httpUrl,
  id,
  metadata,
  oneOf,
  positiveCount,
  price,
  priceCents,
  such,
  text,
  trialDays,
} from './values.ts'

const type = oneOf('one_time', 'subscription', 'metered')
const period = oneOf('day', 'week', 'month', 'year')

/** Whether a product is sold. */
export const ProductStatus = oneOf('active', 'archived')

const mostImages = 20
const images = such(
  t.readonlyArray(httpUrl),
  ({ length }) => length <= mostImages,
  `a list of at most ${mostImages} http or https addresses`,
  { type: 'array', items: httpUrl.schema, maxItems: mostImages },
)

/** A product with a price in a currency, settled in an asset. */
export const Product = t.type(
  {
    id: id('prod_'),
    object: objectOf('product'),
    name: says('Display name.', t.string),
    description: says('What it is, for customers.', orNull(t.string)),
    images: says('Addresses of images.', t.readonlyArray(t.string)),
    type: says('How it is sold: once, by subscription, or as credits for metered usage.', type),
    status: says('An `archived` product is not sold.', ProductStatus),
    asset_id: says('The asset it settles in, by its SEP-11 name.', assetId),
    currency_code: says('The currency it is priced in, by ISO 4217.', t.string),
    price_amount: says('The price in base units of the currency: 12.5 is 12.50.', t.number),
    price_amount_cents: says('The price × 100, whatever the currency.', t.number),
    recurring_period: says('How often a subscription is charged; null for all else.', orNull(period)),
    trial_days: says('Days of a subscription before its first charge.', orNull(count)),
    allow_multiple_subscriptions: says('Whether a customer may have several subscriptions of it at a time.', t.boolean),
    unit: says('What is measured, for a metered product.', orNull(t.string)),
    units_per_credit: says('Units consumed for one credit.', positiveCount),
    total_credits: says(
      'Credits granted to the customer with each purchase. A metered product without any opens no access.',
      count,
    ),
    metadata: metadataOf('product'),
    environment,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  'Product',
)
export type Product = t.TypeOf<typeof Product>

/** A new product. */
export const NewProduct = t.type(
  {
    name: says('Display name.', text(250)),
    description: says('What it is, for customers.', optional(text(5_000))),
    images: says(
      'Addresses of images. Left out: none.',
      withDefault<t.TypeOf<typeof images>, t.OutputOf<typeof images>>(images, []),
    ),
    type: says('How it is sold: once, by subscription, or as credits for metered usage.', type),
    currency_code: says('The currency of the price, in any case.', currencyCode),
    asset_id: says(
      'The asset it settles in: `native` or `CODE:ISSUER`. Left out: the default one.',
      optional(text(70)),
    ),
    recurring_period: says('Required for a subscription, and refused for all else.', optional(period)),
    trial_days: says('Days of a subscription before its first charge. Left out: none.', optional(trialDays)),
    allow_multiple_subscriptions: says(
      'Whether a customer may have several subscriptions of it at a time. Left out: one.',
      withDefault(t.boolean, false),
    ),
    unit: says('What is measured, for a metered product.', optional(text(100))),
    units_per_credit: says('Units consumed for one credit. Left out: 1.', withDefault(positiveCount, positive(1))),
    total_credits: says(
      'Granted with each purchase. Left out or 0: nothing is, and a metered product opens no access.',
      withDefault(count, countOf(0)),
    ),
    price_amount: says(
      'The price in base units. This or `price_amount_cents`; if both, they must agree.',
      optional(price),
    ),
    price_amount_cents: says('The price × 100, whatever the currency.', optional(priceCents)),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
  },
  'NewProduct',
)

/** Changes to a product. Missing fields stay. */
export const ChangedProduct = t.type(
  {
    name: says('Display name.', unchanged(text(250))),
    description: says('Null takes it away.', unchanged(orNull(text(5_000)))),
    images: says('Instead of those there are.', unchanged(images)),
    allow_multiple_subscriptions: says('Subscriptions that there are go on.', unchanged(t.boolean)),
    status: says('An archived product is not sold until it is active again.', unchanged(ProductStatus)),
    asset_id: says('What later checkouts settle in.', unchanged(text(70))),
    currency_code: says("The product's own: for any other, make another product.", unchanged(currencyCode)),
    recurring_period: says('Of a subscription only. Makes a new price version.', optional(period)),
    price_amount: says('In base units. Makes a new price version: subscriptions keep theirs.', optional(price)),
    price_amount_cents: says('The price × 100, whatever the currency.', optional(priceCents)),
    metadata: says('Laid over what there is; null removes a key.', optional(metadata)),
  },
  'ChangedProduct',
)

/** A deleted product, archived since past sales refer to it. */
export const DeletedProduct = t.type(
  { id: id('prod_'), object: objectOf('product'), deleted: isDeleted },
  'DeletedProduct',
)

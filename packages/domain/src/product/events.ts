import * as t from 'io-ts'
import { AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { Cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { fact, facts } from '../shared/fact.ts'
import { MetadataText } from '../shared/metadata.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { Count, PositiveCount } from '../shared/units.ts'

/** How a product is paid for: once, by period, or by use. */
export const ProductType = t.keyof({ one_time: null, subscription: null, metered: null }, 'ProductType')
export type ProductType = t.TypeOf<typeof ProductType>

/** How often a subscription renews. */
export const RecurringPeriod = t.keyof({ day: null, week: null, month: null, year: null }, 'RecurringPeriod')
export type RecurringPeriod = t.TypeOf<typeof RecurringPeriod>

/**
 * A product as it was created: at price version 1. `allowsMultipleSubscriptions`: a customer may have several subscriptions
 * of it at a time; without it, one.
 */
export const ProductDetails = t.intersection(
  [
    strict({
      name: Text,
      description: orNull(Text),
      images: t.readonlyArray(Text),
      productType: ProductType,
      assetId: AssetId,
      price: strict({ currency: CurrencyCode, cents: Cents }),
      recurringPeriod: orNull(RecurringPeriod),
      trialDays: orNull(Count),
      unit: orNull(Text),
      unitsPerCredit: PositiveCount,
      totalCredits: Count,
      metadata: MetadataText,
    }),
    partial({ allowsMultipleSubscriptions: t.boolean }),
  ],
  'ProductDetails',
)
export type ProductDetails = t.TypeOf<typeof ProductDetails>

/** The fields that changed, each with its new value. The asset is that of later checkouts; earlier ones keep theirs. */
export const ChangedDetails = t.exact(
  t.partial({
    name: Text,
    description: orNull(Text),
    images: t.readonlyArray(Text),
    assetId: AssetId,
    metadata: MetadataText,
    allowsMultipleSubscriptions: t.boolean,
  }),
  'ChangedDetails',
)
export type ChangedDetails = t.TypeOf<typeof ChangedDetails>

/** What happens to a product, as its stream holds it. */
export const ProductEvent = facts([
  fact('ProductCreated', ProductDetails),
  fact('ProductDetailsChanged', ChangedDetails),
  fact(
    'ProductRepriced',
    strict({ priceVersion: PositiveCount, cents: Cents, recurringPeriod: orNull(RecurringPeriod) }),
  ),
  fact('ProductArchived', strict({})),
  fact('ProductRestored', strict({})),
])
export type ProductEvent = t.TypeOf<typeof ProductEvent>

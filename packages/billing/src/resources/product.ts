import { decimalFromCents, metadataValues } from '@quittance/domain'
import type { Found, ProductRow } from '@quittance/projections'
import { timestamp } from './fields.ts'

/** A product as the interface shows it. */
export const productResource = ({ id, environment, row }: Found<ProductRow>) => {
  const { details, status, createdAt, updatedAt } = row
  return {
    id,
    object: 'product' as const,
    name: details.name,
    description: details.description,
    images: details.images,
    type: details.productType,
    status,
    asset_id: details.assetId,
    currency_code: details.price.currency,
    price_amount: Number(decimalFromCents(details.price.cents)),
    price_amount_cents: Number(details.price.cents),
    recurring_period: details.recurringPeriod,
    trial_days: details.trialDays,
    allow_multiple_subscriptions: details.allowsMultipleSubscriptions ?? false,
    unit: details.unit,
    units_per_credit: details.unitsPerCredit,
    total_credits: details.totalCredits,
    metadata: metadataValues(details.metadata),
    environment,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}
export type ProductResource = ReturnType<typeof productResource>

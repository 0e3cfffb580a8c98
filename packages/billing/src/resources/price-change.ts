import { decimalFromCents, type UnixMs } from '@quittance/domain'
import type { Found, PriceChangeRow, PriceChangeSubscriptionRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** A price change as the interface shows it. */
export const priceChangeResource = ({ id, environment, row }: Found<PriceChangeRow>) => {
  const { details, noticed, createdAt, updatedAt } = row
  const { price } = details
  return {
    id,
    object: 'price_change' as const,
    status: row.status === 'scheduled' ? ('scheduled' as const) : ('canceled' as const),
    product_id: details.productId,
    recurring_period: details.interval,
    price_amount: Number(decimalFromCents(price.cents)),
    price_amount_cents: Number(price.cents),
    currency_code: price.currency,
    asset_id: details.assetId,
    effective_at: timestamp(details.effectiveAt),
    without_consent: details.withoutConsent,
    all_noticed: noticed !== null,
    canceled_at: timestampOrNull(row.status === 'scheduled' ? null : row.canceledAt),
    environment,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}
export type PriceChangeResource = ReturnType<typeof priceChangeResource>

/** How far one subscription is with a price change. */
export const priceChangeEntryResource = ({ row }: Found<PriceChangeSubscriptionRow>, updateUrl: string | null) => ({
  object: 'price_change_subscription' as const,
  id: row.subscriptionId,
  progress: row.progress,
  effective_at: timestamp(row.effectiveAt),
  noticed_at: timestamp(row.noticedAt),
  accepted_at: timestampOrNull(row.acceptedAt),
  ended_at: timestampOrNull(row.endedAt),
  update_url: updateUrl,
})
export type PriceChangeEntryResource = ReturnType<typeof priceChangeEntryResource>

/** The price change that a subscription waits for, as the subscription shows it. */
export const pendingPriceChange = (
  waiting: {
    readonly priceChangeId: string
    readonly price: { readonly cents: bigint; readonly currency: string }
    readonly assetId: string
    readonly effectiveAt: UnixMs
    readonly withoutConsent: 'keep' | 'cancel'
    readonly needsConsent: boolean
    readonly acceptedAt: UnixMs | null
  } | null,
) =>
  waiting === null
    ? null
    : {
        id: waiting.priceChangeId,
        price_amount_cents: Number(waiting.price.cents),
        currency_code: waiting.price.currency,
        asset_id: waiting.assetId,
        effective_at: timestamp(waiting.effectiveAt),
        needs_consent: waiting.needsConsent,
        accepted_at: timestampOrNull(waiting.acceptedAt),
        without_consent: waiting.withoutConsent,
      }

import {
  assetCode,
  CheckoutFailureReason,
  decimalFromCents,
  decimalFromStroops,
  metadataValues,
  settlementOf,
  shownStatus,
} from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import { type CheckoutCost, knownCost } from './checkout-cost.ts'
import { timestamp, timestampOrNull } from './fields.ts'
import { priceCurrency } from './price-currency.ts'

/**
 * A checkout session as the interface shows it. `amount` and `currency_code` are those of a direct checkout; `price` is that of
 * any.
 */
export const checkoutResource =
  (publicUrl: string) =>
  ({ id, environment, row }: Found<CheckoutRow>, cost = knownCost(row)) => ({
    id,
    object: 'checkout' as const,
    customer_id: row.customerId,
    product_id: row.details.productId,
    ...(row.details.kind === 'direct' ? priceOf(row) : noPrice),
    price: priceOf(row),
    asset_id: row.details.assetId,
    asset_code: assetCode(row.details.assetId),
    amount_due: cost.amountDue === null ? null : decimalFromStroops(cost.amountDue),
    plan: planOf(row, cost),
    status: shownStatus(row),
    payment_url: `${publicUrl}/pay/${id}`,
    redirect_url: row.details.redirectUrl,
    description: row.details.description,
    metadata: metadataValues(row.details.metadata),
    expires_at: timestamp(row.details.expiresAt),
    created_at: timestamp(row.createdAt),
    completed_at: timestampOrNull(row.status === 'completed' ? row.completedAt : null),
    failure_reason: row.status === 'failed' && CheckoutFailureReason.is(row.reason) ? row.reason : null,
    payment_id: row.paymentId,
    subscription_id: row.status === 'completed' ? (row.enrolment?.subscriptionId ?? null) : null,
    environment,
    late: settlementOf(row)?.late ?? false,
    terms: termsOf(row),
  })
export type CheckoutResource = ReturnType<ReturnType<typeof checkoutResource>>

/** The customer accepts what the page shows by paying, or by signing. */
const termsOf = (row: CheckoutRow) => {
  const { terms } = row.details
  const acceptedAt = row.status === 'completed' ? row.completedAt : null
  return terms === undefined ? null : { ...terms, accepted_at: timestampOrNull(acceptedAt) }
}

const noPrice = { amount: null, amount_cents: null, currency_code: null }

const priceOf = ({ details }: CheckoutRow) => {
  const { price } = details
  const currency_code = priceCurrency(details)
  switch (price._tag) {
    case 'fiat':
      return { amount: Number(decimalFromCents(price.cents)), amount_cents: Number(price.cents), currency_code }
    case 'asset':
      return {
        amount: Number(decimalFromStroops(price.stroops)),
        amount_cents: Number(`${price.stroops}e-5`),
        currency_code,
      }
  }
}

const planOf = ({ details: { subscription } }: CheckoutRow, { trialDays }: CheckoutCost) =>
  subscription === undefined ? null : { recurring_period: subscription.interval, trial_days: trialDays ?? 0 }

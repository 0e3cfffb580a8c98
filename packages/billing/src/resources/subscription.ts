import {
  accessEndsAt,
  formatAmount,
  metadataValues,
  nextChargeAt,
  type SubscriptionRecord,
  type UnixMs,
  type UnsettledCause,
  waitingPriceChange,
} from '@quittance/domain'
import type { Found, SubscriptionRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'
import { pendingPriceChange } from './price-change.ts'

/** A subscription as the interface shows it. `now` decides what has expired. */
export const subscriptionResource =
  (publicUrl: string, now: UnixMs) =>
  ({ id, environment, row: state }: Found<SubscriptionRow>) => {
    const { details, lifecycle, collection, covered, cancellation, terms } = state
    const isCanceled = lifecycle._tag === 'canceled'
    return {
      id,
      object: 'subscription' as const,
      customer_id: details.customerId,
      product_id: terms.productId,
      checkout_id: details.checkoutId,
      status: state.status,
      current_period_start: timestamp(covered.period.start),
      current_period_end: timestamp(covered.period.end),
      cancel_at_period_end: cancellation !== null,
      canceled_at: isCanceled ? timestamp(lifecycle.at) : null,
      cancellation_reason: isCanceled ? lifecycle.reason : (cancellation?.reason ?? null),
      paused_at: lifecycle._tag === 'paused' ? timestamp(lifecycle.at) : null,
      trial_days: details.trialDays,
      failed_payment_count: state.failedPaymentCount,
      price_amount_cents: Number(terms.price.cents),
      currency_code: terms.price.currency,
      asset_id: details.assetId,
      next_renewal_at: timestampOrNull(nextChargeAt(state)),
      invoice_url:
        state.status === 'overdue' && collection._tag === 'invoiced'
          ? payUrl(publicUrl, collection.invoice.invoiceId)
          : null,
      grace_until: isCanceled || collection._tag === 'current' ? null : timestampOrNull(collection.graceUntil),
      access_ends_at: timestampOrNull(accessEndsAt(state)),
      unsettled_cause: unsettledCause(state),
      authorization: authorizationIn(state, publicUrl, now),
      pending_update: pendingUpdate(state),
      pending_price_change: isCanceled ? null : pendingPriceChange(waitingPriceChange(state)),
      metadata: metadataValues(state.metadata),
      environment,
      created_at: timestamp(state.createdAt),
      updated_at: timestamp(state.updatedAt),
    }
  }
export type SubscriptionResource = ReturnType<ReturnType<typeof subscriptionResource>>

const unsettledCause = ({ lifecycle, collection }: SubscriptionRecord): UnsettledCause | null =>
  (lifecycle._tag === 'paused' ? lifecycle.unsettled : null) ??
  (lifecycle._tag === 'running' && collection._tag === 'invoiced' ? collection.unsettled : null) ??
  null

const payUrl = (publicUrl: string, id: string): string => `${publicUrl}/pay/${id}`

const authorizationIn = (state: SubscriptionRecord, publicUrl: string, now: UnixMs) => {
  const { mandate } = state.authorization
  const requested = state.status === 'canceled' ? null : state.authorization.requested
  return {
    status: authorizationStatus(state, now),
    contract_id: mandate.contract,
    mandate_id: mandate.mandateId,
    cap: formatAmount(mandate.cap, state.details.assetId),
    expires_at: timestamp(mandate.approval.expiresAt),
    update_url: requested === null ? null : payUrl(publicUrl, requested.authorizationId),
    update_reason: requested?.why ?? null,
  }
}

const authorizationStatus = (
  { authorization, collection, covered }: SubscriptionRecord,
  now: UnixMs,
): 'active' | 'insufficient' | 'expiring' | 'expired' | 'revoked' => {
  const { mandate, ended, missing, expiryAnnouncedAt } = authorization
  const { approval, cap } = mandate
  const cause = collection._tag === 'dunning' ? collection.cause : null
  if (ended !== null || cause === 'mandate_ended') return 'revoked'
  if (cause === 'allowance_expired' || now >= approval.expiresAt) return 'expired'
  if (cause === 'allowance_too_low' || cause === 'above_cap') return 'insufficient'
  // An approval that ends before the next charge, as that of a yearly plan does, need not suffice for it.
  if (approval.allowance < cap && covered.period.end < approval.expiresAt) return 'insufficient'
  if (missing?.kind === 'allowance') return 'insufficient'
  return expiryAnnouncedAt === null ? 'active' : 'expiring'
}

const pendingUpdate = ({ pendingSwap }: SubscriptionRecord) => {
  if (pendingSwap === null) return null
  const { productId, price } = pendingSwap.terms
  return { product_id: productId, price_amount_cents: Number(price.cents), currency_code: price.currency }
}

import {
  type AssetId,
  assetCode,
  type CustomerId,
  formatAmount,
  metadataValues,
  type PaymentConfirmation,
  type Stroops,
  type UnixMs,
} from '@quittance/domain'
import type { Found, PaymentRow } from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { Services } from '../services/services.ts'
import type { Vault } from '../stores/vault/port.ts'
import { failureCause } from './failure-cause.ts'
import { timestamp, timestampOrNull } from './fields.ts'
import { receiptUrl } from './receipt-link.ts'

/** The payer at the time of payment. */
export const BillingDetails = t.strict({ email: t.union([t.string, t.null]), name: t.union([t.string, t.null]) })

/**
 * A payment as the interface shows it. `syncedAt` is the close time of the newest ingested ledger. A renewal without any
 * money shows the amount to charge. The cause of a refusal follows from the contract's number alone.
 */
export const paymentResource =
  (services: Pick<Services, 'vault' | 'publicUrl'>, syncedAt: UnixMs | null) =>
  async ({ id, environment, row }: Found<PaymentRow>) => {
    const { vault } = services
    const { details, incomingPayments } = row
    const confirmation = row.status === 'confirmed' ? row.confirmation : null
    const refunds = row.status === 'confirmed' ? row.refunds : []
    const failure = row.status === 'failed' ? row : null
    const amount = confirmation?.amount ?? (incomingPayments.length === 0 ? details.amountDue : null) ?? row.received
    const completing = incomingPayments.find(({ transactionHash }) => transactionHash === confirmation?.transactionHash)
    return {
      id,
      object: 'payment' as const,
      checkout_id: details.checkoutId,
      customer_id: details.customerId,
      subscription_id: details.subscriptionId,
      amount: formatAmount(amount, details.assetId),
      amount_stroops: amount.toString(),
      asset_id: details.assetId,
      // A price without a currency was stated in the asset itself.
      currency_code: details.currencyCode ?? assetCode(details.assetId),
      amount_cents: details.amountCents === null ? null : Number(details.amountCents),
      status: row.status,
      transaction_hash:
        completing?.transactionHash ??
        row.submitted.at(-1)?.transactionHash ??
        incomingPayments.at(-1)?.transactionHash ??
        null,
      transactions: incomingPayments.map((incoming) => ({
        hash: incoming.transactionHash,
        ledger: incoming.ledger,
        amount: formatAmount(incoming.amount, incoming.assetId),
        from: incoming.from,
      })),
      billing_details: await billingDetails(vault, details.customerId, confirmation),
      payment_method_details:
        confirmation === null || confirmation.walletId === null
          ? null
          : { id: confirmation.walletId, address: confirmation.payer },
      line_items: refunds.map(({ refundId, reason, status, amount: refunded = amount }) => ({
        id: refundId.replace(/^rf_/, 'ref_'),
        amount: formatAmount(refunded, details.assetId),
        reason,
        status: refundStatus[status],
      })),
      metadata: metadataValues(details.metadata),
      ledger: confirmation?.ledger ?? null,
      confirmed_at: timestampOrNull(confirmation?.confirmedAt ?? null),
      failure_reason: failure?.reason ?? null,
      failure_code: failure === null || failure.code === null ? null : failureCause(failure.code, null),
      platform_fee: optionalAmount(feeOf(row), details.assetId),
      overpaid_amount: optionalAmount(confirmation?.overpaid ?? null, details.assetId),
      late: confirmation?.late ?? false,
      refunded: refunds.some(({ status }) => status === 'refunded'),
      receipt_url: confirmation === null ? null : await receiptUrl(services, id),
      synced_at: timestampOrNull(syncedAt),
      environment,
      created_at: timestamp(row.createdAt),
    }
  }
export type PaymentResource = Awaited<ReturnType<ReturnType<typeof paymentResource>>>

/** What the merchant owes the operator for it: nothing once it goes back without a refund. */
const feeOf = (row: PaymentRow): Stroops | null =>
  row.status !== 'confirmed' || row.isReturned ? null : (row.confirmation.platformFee?.amount ?? null)

const refundStatus = { claimed: 'pending', released: 'failed', refunded: 'confirmed' } as const

const optionalAmount = (amount: Stroops | null, asset: AssetId): string | null =>
  amount === null || amount === 0n ? null : formatAmount(amount, asset)

const billingDetails = async (
  vault: Vault,
  customerId: CustomerId | null,
  confirmation: PaymentConfirmation | null,
) => {
  const sealed = confirmation?.billingDetails
  if (sealed == null || customerId === null) return null
  const data = await vault.unseal(customerId, sealed)
  return O.isNone(data) ? null : decodeOrThrow(BillingDetails, data.value)
}

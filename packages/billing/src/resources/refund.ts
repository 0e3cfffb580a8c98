import { formatAmount, metadataValues, type RefundDetails, type RefundFailureReason } from '@quittance/domain'
import type { Found, RefundRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'
import { addressText } from './payout.ts'

/**
 * A refund as the interface shows it. `isSignatureNeeded`: it waits until the merchant signs it or pays by hand.
 * `approvalId`: the approval that it waits for.
 */
export const refundResource = (
  { id, environment, row }: Found<RefundRow>,
  isSignatureNeeded = false,
  approvalId: string | null = null,
) => {
  const { details, status, createdAt } = row
  const settlement = row.status === 'succeeded' ? row.settlement : null
  const failure = row.status === 'failed' ? row : null
  return {
    id,
    object: 'refund' as const,
    payment_id: details.paymentId,
    customer_id: details.customerId,
    amount: formatAmount(details.amount, details.assetId),
    amount_stroops: details.amount.toString(),
    asset_id: details.assetId,
    status,
    sends_at: timestampOrNull(row.status === 'pending' ? row.sendsAt : null),
    signature_needed: isSignatureNeeded,
    approval_id: approvalId,
    reason: details.reason,
    receiver_wallet_address: details.destination,
    receiver_muxed_address: muxedAddress(details),
    transaction_hash: settlement?.transactionHash ?? null,
    ledger: settlement?.ledger ?? null,
    succeeded_at: timestampOrNull(settlement?.closedAt ?? null),
    failure_reason: failure?.reason ?? null,
    failure_message: failure === null ? null : messages[failure.reason],
    failure_code: failure?.code ?? null,
    metadata: metadataValues(details.metadata),
    environment,
    created_at: timestamp(createdAt),
  }
}
const muxedAddress = ({ destination, destinationMuxedId }: RefundDetails): string | null =>
  destinationMuxedId === undefined ? null : addressText({ address: destination, muxedId: destinationMuxedId })

export type RefundResource = ReturnType<typeof refundResource>

/** In each case nothing was paid, and the payment may be refunded again. */
const messages: Readonly<Record<RefundFailureReason, string>> = {
  destination_not_found: 'The receiving account does not exist on the ledger any more',
  destination_no_trustline: 'The receiving account does not trust the asset any more',
  destination_not_authorized: 'The receiving account may not hold the asset',
  destination_full: 'The receiving account has no room for the amount',
  insufficient_funds: 'The settlement account does not hold the amount',
  credits_spent: 'Some of the credits that the payment had granted were consumed',
  not_approved: 'Nobody has approved it in time, or somebody has rejected it',
  canceled: 'It was canceled before it was sent',
  refused_by_ledger: 'The ledger refused the payment',
  network_reset: 'The network was reset, and what was paid is gone',
  not_sent: 'The payment could not be brought onto the ledger',
}

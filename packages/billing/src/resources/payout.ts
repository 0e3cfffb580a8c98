import type { AccountId } from '@quittance/domain'
import { formatAmount, type Memo, type MuxedId, metadataValues, type PayoutFailureReason } from '@quittance/domain'
import { writeStrkey } from '@quittance/ledger'
import type { Found, PayoutRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** `G…`, or `M…` for an address with a multiplexed id. */
export const addressText = ({
  address,
  muxedId,
}: {
  readonly address: AccountId
  readonly muxedId?: MuxedId | undefined
}): string => (muxedId === undefined ? address : writeStrkey({ _tag: 'muxed_account', account: address, muxedId }))

export const memoFields = (memo: Memo | null) => ({ memo: memo?.value ?? null, memo_type: memo?.type ?? null })

/** A payout as the interface shows it. `approvalId`: the approval that it waits for. */
export const payoutResource = ({ id, environment, row }: Found<PayoutRow>, approvalId: string | null = null) => {
  const { details, status, createdAt } = row
  const settlement = row.status === 'succeeded' ? row.settlement : null
  const failure = row.status === 'failed' ? row : null
  const { target } = details
  return {
    id,
    object: 'payout' as const,
    status,
    asset_id: details.assetId,
    amount: formatAmount(details.amount, details.assetId),
    amount_stroops: details.amount.toString(),
    destination: addressText(target),
    destination_id: target.destinationId,
    ...memoFields(target.memo),
    approval_id: approvalId,
    purpose: details.purpose ?? ('payout' as const),
    automatic: details.dueAt !== undefined,
    transaction_hash: settlement?.transactionHash ?? null,
    ledger: settlement?.ledger ?? null,
    succeeded_at: timestampOrNull(settlement?.closedAt ?? null),
    canceled_at: timestampOrNull(row.status === 'canceled' ? row.canceledAt : null),
    failure_reason: failure?.reason ?? null,
    failure_message: failure === null ? null : messages[failure.reason],
    failure_code: failure?.code ?? null,
    metadata: metadataValues(details.metadata),
    environment,
    created_at: timestamp(createdAt),
  }
}
export type PayoutResource = ReturnType<typeof payoutResource>

/** In each case nothing was paid, and the money is available again. */
const messages: Readonly<Record<PayoutFailureReason, string>> = {
  destination_not_found: 'The receiving account does not exist on the ledger any more',
  destination_no_trustline: 'The receiving account does not trust the asset any more',
  destination_not_authorized: 'The receiving account may not hold the asset',
  destination_full: 'The receiving account has no room for the amount',
  insufficient_funds: 'The settlement account no longer holds the amount beside refunds, returns and the reserve',
  not_approved: 'Nobody has approved it in time, or somebody has rejected it',
  refused_by_ledger: 'The ledger refused the payment',
  network_reset: 'The network was reset, and the balance with it',
  not_sent: 'The payment could not be brought onto the ledger',
}

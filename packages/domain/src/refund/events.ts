import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { CustomerId, PaymentId } from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { MetadataText } from '../shared/metadata.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** A refund as it was requested: a payment goes back whole, `amount` of its asset, to `destination`. */
export const RefundDetails = strict(
  {
    paymentId: PaymentId,
    customerId: orNull(CustomerId),
    amount: Stroops,
    assetId: AssetId,
    destination: AccountId,
    reason: orNull(Text),
    metadata: MetadataText,
  },
  'RefundDetails',
)
export type RefundDetails = t.TypeOf<typeof RefundDetails>

/** The closed ledger that holds it; `closedAt` is its close time. */
export const RefundSettlement = strict(
  { transactionHash: TransactionHash, ledger: LedgerSequence, closedAt: UnixMs },
  'RefundSettlement',
)
export type RefundSettlement = t.TypeOf<typeof RefundSettlement>

/** Why nothing was paid: what the ledger refused, or what kept it from being sent. */
export const RefundFailureReason = t.keyof(
  {
    destination_not_found: null,
    destination_no_trustline: null,
    destination_not_authorized: null,
    destination_full: null,
    insufficient_funds: null,
    credits_spent: null,
    refused_by_ledger: null,
    not_sent: null,
  },
  'RefundFailureReason',
)
export type RefundFailureReason = t.TypeOf<typeof RefundFailureReason>

export const RefundEvent = facts([
  fact('RefundRequested', RefundDetails),
  fact('RefundSucceeded', RefundSettlement),
  // `code` is the ledger's own name for it, or the reason for giving up.
  fact('RefundFailed', strict({ reason: RefundFailureReason, code: orNull(Text), failedAt: UnixMs })),
])
export type RefundEvent = t.TypeOf<typeof RefundEvent>

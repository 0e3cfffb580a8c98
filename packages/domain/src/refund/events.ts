import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { CustomerId, PaymentId } from '../shared/ids.ts'
import { MuxedId } from '../shared/incoming-payment.ts'
import { MetadataText } from '../shared/metadata.ts'
import { OutgoingSettlement, outgoingFailures } from '../shared/outgoing.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * A refund as it was requested: a payment goes back whole, `amount` of its asset, to `destination`. `destinationMuxedId` is
 * the number inside the muxed address that paid. `sendsAt` is set if nothing shows whose that address is: until then the refund waits, and can be canceled.
 */
export const RefundDetails = t.intersection(
  [
    strict({
      paymentId: PaymentId,
      customerId: orNull(CustomerId),
      amount: Stroops,
      assetId: AssetId,
      destination: AccountId,
      reason: orNull(Text),
      metadata: MetadataText,
    }),
    partial({ destinationMuxedId: MuxedId, sendsAt: UnixMs }),
  ],
  'RefundDetails',
)
export type RefundDetails = t.TypeOf<typeof RefundDetails>

/** Why a refund has failed. */
export const RefundFailureReason = t.keyof(
  { ...outgoingFailures, credits_spent: null, canceled: null, not_approved: null },
  'RefundFailureReason',
)
export type RefundFailureReason = t.TypeOf<typeof RefundFailureReason>

/** What happens to a refund, as its stream holds it. */
export const RefundEvent = facts([
  fact('RefundRequested', RefundDetails),
  // The log was restored while the refund waited: the wait began again.
  fact('RefundPostponed', strict({ sendsAt: UnixMs })),
  // From here on it cannot be canceled.
  fact('RefundWaitEnded', strict({})),
  fact('RefundSucceeded', OutgoingSettlement),
  // `code` is the ledger's own name for it, or the reason for giving up.
  fact('RefundFailed', strict({ reason: RefundFailureReason, code: orNull(Text), failedAt: UnixMs })),
])
export type RefundEvent = t.TypeOf<typeof RefundEvent>

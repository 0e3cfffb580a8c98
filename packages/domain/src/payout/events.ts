import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { PayoutDestinationId } from '../shared/ids.ts'
import { MuxedId } from '../shared/incoming-payment.ts'
import { Memo } from '../shared/memo.ts'
import { MetadataText } from '../shared/metadata.ts'
import { OutgoingSettlement, outgoingFailures } from '../shared/outgoing.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** Where a payout goes to: the registered destination as it was then. `muxedId` is the number of a muxed address. */
export const PayoutTarget = t.intersection(
  [
    strict({ destinationId: PayoutDestinationId, address: AccountId, memo: orNull(Memo) }),
    partial({ muxedId: MuxedId }),
  ],
  'PayoutTarget',
)
export type PayoutTarget = t.TypeOf<typeof PayoutTarget>

/**
 * A payout as it was requested. `dueAt` is when a schedule wanted it; a request has none. `keep` is what must be left of the
 * asset when it goes: a schedule's reserve. `purpose` is there for the operator's fees that are collected.
 */
export const PayoutDetails = t.intersection(
  [
    strict({ assetId: AssetId, amount: Stroops, target: PayoutTarget, keep: Stroops, metadata: MetadataText }),
    partial({ dueAt: UnixMs, purpose: t.literal('platform_fee') }),
  ],
  'PayoutDetails',
)
export type PayoutDetails = t.TypeOf<typeof PayoutDetails>

/** Why a payout has failed. */
export const PayoutFailureReason = t.keyof({ ...outgoingFailures, not_approved: null }, 'PayoutFailureReason')
export type PayoutFailureReason = t.TypeOf<typeof PayoutFailureReason>

export const PayoutEvent = facts([
  fact('PayoutRequested', PayoutDetails),
  // It was not sent, and cannot be any more.
  fact('PayoutCanceled', strict({ canceledAt: UnixMs })),
  fact('PayoutSucceeded', OutgoingSettlement),
  // `code` is the ledger's own name for it, or the reason for giving up.
  fact('PayoutFailed', strict({ reason: PayoutFailureReason, code: orNull(Text), failedAt: UnixMs })),
])
export type PayoutEvent = t.TypeOf<typeof PayoutEvent>

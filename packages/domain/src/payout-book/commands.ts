import type { PayoutDetails, PayoutTarget } from '../payout/events.ts'
import type { AccountId, AssetId } from '../shared/asset.ts'
import type { PayoutId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutClaim } from './events.ts'
import type { PayoutSchedule } from './schedule.ts'

/**
 * What can be paid out of the asset as of ledger `observedAt`, or a later one, before what payouts have claimed: the
 * balance of the account `source` without its reserve, fees, offers, and refunds and returns that are to be paid.
 * `bookedFees` is what counts as booked of the operator's fees, absent for nothing. `epoch` is how often the network was
 * reset before, absent for never.
 */
export type Observed = {
  readonly spendable: Stroops
  readonly observedAt: LedgerSequence
  readonly source?: AccountId
  readonly bookedFees?: bigint
  readonly epoch?: number
}

export type ClaimPayout = {
  readonly type: 'ClaimPayout'
  readonly payoutId: PayoutId
  readonly amount: Stroops | 'all'
  readonly details: Omit<PayoutDetails, 'amount' | 'keep' | 'dueAt' | 'purpose'>
  readonly at: UnixMs
} & Observed

/**
 * Pays the operator what of its fees is owed and was not claimed before. What was booked since `bookedFees` is left for the
 * next time. Nothing below `minimum`.
 */
export type CollectFees = {
  readonly type: 'CollectFees'
  readonly payoutId: PayoutId
  readonly minimum: Stroops
  readonly details: ClaimPayout['details']
  readonly at: UnixMs
} & Observed

/** A collection of fees that a closed ledger proves, whatever the log holds owed: the log has lost its claim. */
export type RecoverCollection = { readonly type: 'RecoverCollection'; readonly claim: PayoutClaim }

/** By what was due at `dueAt`. `target` is null where nothing can be paid to the schedule's destination. */
export type RunPayoutSchedule = {
  readonly type: 'RunPayoutSchedule'
  readonly payoutId: PayoutId
  readonly dueAt: UnixMs
  readonly assetId: AssetId
  readonly target: PayoutTarget | null
} & Observed

/** Once the payout has ended, and nothing of it can be paid any more. `epoch`: how often the network was reset before. */
export type EndPayoutClaim = {
  readonly type: 'EndPayoutClaim'
  readonly payoutId: PayoutId
  readonly paidIn: LedgerSequence | null
  readonly epoch?: number
}

export type SetPayoutSchedule = {
  readonly type: 'SetPayoutSchedule'
  readonly schedule: PayoutSchedule
  readonly at: UnixMs
}
export type RemovePayoutSchedule = { readonly type: 'RemovePayoutSchedule'; readonly at: UnixMs }

export type PayoutBookCommand =
  | ClaimPayout
  | RunPayoutSchedule
  | CollectFees
  | RecoverCollection
  | EndPayoutClaim
  | SetPayoutSchedule
  | RemovePayoutSchedule

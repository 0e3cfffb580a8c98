import type { PayoutDetails, PayoutTarget } from '../payout/events.ts'
import type { AccountId, AssetId } from '../shared/asset.ts'
import type { PayoutId } from '../shared/ids.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutSchedule } from './schedule.ts'

/**
 * What can be paid out of the asset as of ledger `observedAt`, or a later one, before what payouts have claimed: the
 * balance of the account `source` without its reserve, fees, offers, and refunds and returns that are to be paid.
 */
export type Observed = {
  readonly spendable: Stroops
  readonly observedAt: LedgerSequence
  readonly source?: AccountId
}

export type ClaimPayout = {
  readonly type: 'ClaimPayout'
  readonly payoutId: PayoutId
  readonly amount: Stroops | 'all'
  readonly details: Omit<PayoutDetails, 'amount' | 'keep' | 'dueAt'>
  readonly at: UnixMs
} & Observed

/** By what was due at `dueAt`. `target` is null where nothing can be paid to the schedule's destination. */
export type RunPayoutSchedule = {
  readonly type: 'RunPayoutSchedule'
  readonly payoutId: PayoutId
  readonly dueAt: UnixMs
  readonly assetId: AssetId
  readonly target: PayoutTarget | null
} & Observed

/** Once the payout has ended, and nothing of it can be paid any more. */
export type EndPayoutClaim = {
  readonly type: 'EndPayoutClaim'
  readonly payoutId: PayoutId
  readonly paidIn: LedgerSequence | null
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
  | EndPayoutClaim
  | SetPayoutSchedule
  | RemovePayoutSchedule

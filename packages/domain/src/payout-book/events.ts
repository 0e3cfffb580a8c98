import * as t from 'io-ts'
import { PayoutDetails } from '../payout/events.ts'
import { AccountId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { PayoutId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { PositiveCount, UnixMs } from '../shared/units.ts'
import { PayoutSchedule } from './schedule.ts'

/** Money that a payout has claimed, until it ends. `source` is the account that it was claimed from; old claims lack it. */
export const PayoutClaim = t.intersection(
  [strict({ payoutId: PayoutId, details: PayoutDetails, claimedAt: UnixMs }), partial({ source: AccountId })],
  'PayoutClaim',
)
export type PayoutClaim = t.TypeOf<typeof PayoutClaim>

/** Why a schedule has paid out nothing when it was due. */
export const SkipReason = t.keyof({ nothing_available: null, destination_unusable: null }, 'SkipReason')
export type SkipReason = t.TypeOf<typeof SkipReason>

export const PayoutBookEvent = facts([
  fact('PayoutClaimed', PayoutClaim),
  // `paidIn` is the ledger that holds it; null where nothing was paid. `epoch` is how often the network was reset before;
  // absent for never, and in old events.
  fact(
    'PayoutClaimEnded',
    t.intersection([strict({ payoutId: PayoutId, paidIn: orNull(LedgerSequence) }), partial({ epoch: PositiveCount })]),
  ),
  fact('PayoutScheduleSet', strict({ schedule: PayoutSchedule, setAt: UnixMs })),
  fact('PayoutScheduleRemoved', strict({ removedAt: UnixMs })),
  fact('PayoutSkipped', strict({ dueAt: UnixMs, reason: SkipReason })),
])
export type PayoutBookEvent = t.TypeOf<typeof PayoutBookEvent>

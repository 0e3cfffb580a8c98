import * as t from 'io-ts'
import { PayoutDetails } from '../payout/events.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { PayoutId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'
import { UnixMs } from '../shared/units.ts'
import { PayoutSchedule } from './schedule.ts'

/** Money that a payout has claimed, until it ends. */
export const PayoutClaim = strict({ payoutId: PayoutId, details: PayoutDetails, claimedAt: UnixMs }, 'PayoutClaim')
export type PayoutClaim = t.TypeOf<typeof PayoutClaim>

/** Why a schedule has paid out nothing when it was due. */
export const SkipReason = t.keyof({ nothing_available: null, destination_unusable: null }, 'SkipReason')
export type SkipReason = t.TypeOf<typeof SkipReason>

export const PayoutBookEvent = facts([
  fact('PayoutClaimed', PayoutClaim),
  // `paidIn` is the ledger that holds it; null where nothing was paid.
  fact('PayoutClaimEnded', strict({ payoutId: PayoutId, paidIn: orNull(LedgerSequence) })),
  fact('PayoutScheduleSet', strict({ schedule: PayoutSchedule, setAt: UnixMs })),
  fact('PayoutScheduleRemoved', strict({ removedAt: UnixMs })),
  fact('PayoutSkipped', strict({ dueAt: UnixMs, reason: SkipReason })),
])
export type PayoutBookEvent = t.TypeOf<typeof PayoutBookEvent>

import { CorruptStream } from '../shared/decider.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutBookEvent, PayoutClaim } from './events.ts'
import type { PayoutSchedule } from './schedule.ts'

/**
 * The payouts of one asset of a merchant in an environment. `claims` are those that have not ended; `paidThrough` is the
 * newest ledger that holds one that has; `ranThrough` is up to when the schedule's due moments are dealt with.
 */
export type PayoutBookState = {
  readonly claims: ReadonlyArray<PayoutClaim>
  readonly paidThrough: LedgerSequence | null
  readonly schedule: PayoutSchedule | null
  readonly ranThrough: number
}

export const initial: PayoutBookState = { claims: [], paidThrough: null, schedule: null, ranThrough: 0 }

export const evolve = (state: PayoutBookState, { type, data }: PayoutBookEvent): PayoutBookState => {
  const ran = (dueAt: UnixMs | undefined) => Math.max(state.ranThrough, dueAt ?? 0)
  switch (type) {
    case 'PayoutClaimed':
      return { ...state, claims: [...state.claims, data], ranThrough: ran(data.details.dueAt) }
    case 'PayoutClaimEnded': {
      const claims = state.claims.filter(({ payoutId }) => payoutId !== data.payoutId)
      if (claims.length === state.claims.length) throw new CorruptStream(type, `without ${data.payoutId}`)
      return { ...state, claims, paidThrough: newest(state.paidThrough, data.paidIn) }
    }
    case 'PayoutScheduleSet':
      return { ...state, schedule: data.schedule, ranThrough: ran(data.setAt) }
    case 'PayoutScheduleRemoved':
      return { ...state, schedule: null }
    case 'PayoutSkipped':
      return { ...state, ranThrough: ran(data.dueAt) }
  }
}

const newest = (one: LedgerSequence | null, other: LedgerSequence | null): LedgerSequence | null =>
  one === null || (other !== null && other > one) ? other : one

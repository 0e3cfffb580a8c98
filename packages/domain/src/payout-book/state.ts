import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { CorruptStream } from '../shared/decider.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'
import { UnixMs, unixMs } from '../shared/units.ts'
import { type PayoutBookEvent, PayoutClaim } from './events.ts'
import { PayoutSchedule } from './schedule.ts'

/**
 * The payouts of one asset of a merchant in an environment. `claims` are those that have not ended, the oldest first;
 * `paidThrough` is the newest ledger that holds one that has. `setAt` is when `schedule` was set last; its due moments up
 * to `ranThrough` are dealt with.
 */
export const PayoutBookState = strict(
  {
    claims: t.readonlyArray(PayoutClaim),
    paidThrough: orNull(LedgerSequence),
    schedule: orNull(PayoutSchedule),
    setAt: UnixMs,
    ranThrough: UnixMs,
  },
  'PayoutBookState',
)
export type PayoutBookState = t.TypeOf<typeof PayoutBookState>

export const initial: PayoutBookState = {
  claims: [],
  paidThrough: null,
  schedule: null,
  setAt: unixMs(0),
  ranThrough: unixMs(0),
}

export const evolve = (state: PayoutBookState, { type, data }: PayoutBookEvent): PayoutBookState => {
  const ran = (dueAt: UnixMs | undefined) => unixMs(Math.max(state.ranThrough, dueAt ?? 0))
  switch (type) {
    case 'PayoutClaimed':
      return { ...state, claims: [...state.claims, data], ranThrough: ran(data.details.dueAt) }
    case 'PayoutClaimEnded': {
      const claims = state.claims.filter(({ payoutId }) => payoutId !== data.payoutId)
      if (claims.length === state.claims.length) throw new CorruptStream(type, `without ${data.payoutId}`)
      return { ...state, claims, paidThrough: newest(state.paidThrough, data.paidIn) }
    }
    case 'PayoutScheduleSet':
      return { ...state, schedule: data.schedule, setAt: data.setAt, ranThrough: ran(data.setAt) }
    case 'PayoutScheduleRemoved':
      return { ...state, schedule: null }
    case 'PayoutSkipped':
      return { ...state, ranThrough: ran(data.dueAt) }
  }
}

const newest = (one: LedgerSequence | null, other: LedgerSequence | null): LedgerSequence | null =>
  one === null || (other !== null && other > one) ? other : one

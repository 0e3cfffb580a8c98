import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { CorruptStream } from '../shared/decider.ts'
import type { PayoutId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops, stroops } from '../shared/stroops.ts'
import { PositiveCount, UnixMs, unixMs } from '../shared/units.ts'
import { type PayoutBookEvent, PayoutClaim } from './events.ts'
import { PayoutSchedule } from './schedule.ts'

/**
 * The payouts of one asset of a merchant in an environment. `claims` are those that have not ended, the oldest first;
 * `paidThrough` is the newest ledger that holds one that has, after so many resets of the network as `paidInEpoch` says;
 * absent for none. `setAt` is when `schedule` was set last; its due moments up
 * to `ranThrough` are dealt with. `feesCollected` is what the operator was ever paid of its fees; absent for nothing.
 */
export const PayoutBookState = t.intersection(
  [
    strict({
      claims: t.readonlyArray(PayoutClaim),
      paidThrough: orNull(LedgerSequence),
      schedule: orNull(PayoutSchedule),
      setAt: UnixMs,
      ranThrough: UnixMs,
    }),
    partial({ feesCollected: Stroops, paidInEpoch: PositiveCount }),
  ],
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
      return { ...state, claims, ...paidThrough(state, data), ...collected(state, data.payoutId, data.paidIn !== null) }
    }
    case 'PayoutScheduleSet':
      return { ...state, schedule: data.schedule, setAt: data.setAt, ranThrough: ran(data.setAt) }
    case 'PayoutScheduleRemoved':
      return { ...state, schedule: null }
    case 'PayoutSkipped':
      return { ...state, ranThrough: ran(data.dueAt) }
  }
}

const collected = (
  { claims, feesCollected = stroops(0n) }: PayoutBookState,
  payoutId: PayoutId,
  isPaid: boolean,
): Pick<PayoutBookState, 'feesCollected'> => {
  const details = claims.find((each) => each.payoutId === payoutId)?.details
  return isPaid && details?.purpose === 'platform_fee' ? { feesCollected: stroops(feesCollected + details.amount) } : {}
}

/** What the operator's fees, of which so much was booked, still need: neither paid nor on its way. Below zero for too much. */
export const feesOwed = ({ claims, feesCollected = stroops(0n) }: PayoutBookState, booked: bigint): bigint =>
  claims.reduce(
    (left, { details }) => left - (details.purpose === 'platform_fee' ? details.amount : 0n),
    booked - feesCollected,
  )

/** Ledgers of different epochs cannot be compared by their numbers: the later epoch counts. */
const paidThrough = (
  { paidThrough: before, paidInEpoch }: PayoutBookState,
  { paidIn, epoch }: Extract<PayoutBookEvent, { readonly type: 'PayoutClaimEnded' }>['data'],
): Pick<PayoutBookState, 'paidThrough' | 'paidInEpoch'> => {
  if (paidIn === null || (epoch ?? 0) < (paidInEpoch ?? 0)) return { paidThrough: before }
  if (epoch !== undefined && epoch > (paidInEpoch ?? 0)) return { paidThrough: paidIn, paidInEpoch: epoch }
  return { paidThrough: before === null || paidIn > before ? paidIn : before }
}

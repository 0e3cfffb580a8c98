import * as t from 'io-ts'
import { PayoutDestinationId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { dayMs, hourMs, type UnixMs, unixMs } from '../shared/units.ts'

/** Monday is 0. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** A day of the week. */
export const Weekday = t.keyof(
  { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
  'Weekday',
)
export type Weekday = t.TypeOf<typeof Weekday>

/** When a schedule pays out: at midnight (UTC) of each day or one weekday; or at a full hour, once so much is available. */
export const PayoutInterval = t.union(
  [
    strict({ type: t.literal('daily') }),
    strict({ type: t.literal('weekly'), weekday: Weekday }),
    strict({ type: t.literal('threshold'), threshold: Stroops }),
  ],
  'PayoutInterval',
)
export type PayoutInterval = t.TypeOf<typeof PayoutInterval>

/** Pays out all of an asset that is available beyond `reserve`, which stays for refunds. */
export const PayoutSchedule = strict(
  { interval: PayoutInterval, reserve: Stroops, destinationId: PayoutDestinationId },
  'PayoutSchedule',
)
export type PayoutSchedule = t.TypeOf<typeof PayoutSchedule>

const weekMs = 7 * dayMs
/** The first of January 1970 was a Thursday. */
const firstMondayMs = 4 * dayMs

const periodOf = (interval: PayoutInterval): { readonly length: number; readonly start: number } => {
  switch (interval.type) {
    case 'daily':
      return { length: dayMs, start: 0 }
    case 'weekly':
      return { length: weekMs, start: (firstMondayMs + weekdays.indexOf(interval.weekday) * dayMs) % weekMs }
    case 'threshold':
      return { length: hourMs, start: 0 }
  }
}

/** The newest moment at which a schedule is due that is not after `now`. */
export const lastDue = ({ interval }: Pick<PayoutSchedule, 'interval'>, now: UnixMs): UnixMs => {
  const { length, start } = periodOf(interval)
  return unixMs(Math.max(0, Math.floor((now - start) / length) * length + start))
}

/** The first moment after `after` at which a schedule is due. */
export const nextDue = ({ interval }: Pick<PayoutSchedule, 'interval'>, after: UnixMs): UnixMs => {
  const { length, start } = periodOf(interval)
  return unixMs((Math.floor((after - start) / length) + 1) * length + start)
}

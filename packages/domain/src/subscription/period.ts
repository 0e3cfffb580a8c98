import * as DateTime from 'temporal-polyfill/fns/PlainDateTime'
import type { RecurringPeriod } from '../product/index.ts'
import { type Count, count, type UnixMs, unixMs } from '../shared/units.ts'
import type { Anchor, Cycle, Period } from './terms.ts'

type Moment = ReturnType<typeof DateTime.create>

// The functions of the library, not its classes: bundles hold only those that are used.
/** Of each interval: moves a moment by so many, and counts the whole ones between two moments. */
const calendar: Readonly<
  Record<
    RecurringPeriod,
    {
      readonly add: (moment: Moment, intervals: number) => Moment
      readonly between: (from: Moment, to: Moment) => number
    }
  >
> = {
  day: { add: DateTime.addDays, between: (from, to) => DateTime.diffDays(from, to, 'trunc') },
  week: { add: DateTime.addWeeks, between: (from, to) => DateTime.diffWeeks(from, to, 'trunc') },
  month: { add: DateTime.addMonths, between: (from, to) => DateTime.diffMonths(from, to, 'trunc') },
  year: { add: DateTime.addYears, between: (from, to) => DateTime.diffYears(from, to, 'trunc') },
}

const epoch = DateTime.create(1970, 1, 1)
const inUtc = (at: UnixMs): Moment => DateTime.addMilliseconds(epoch, at)

/**
 * When period `n` begins: so many intervals after the anchor, always counted from the anchor itself, in UTC. Where the
 * month is too short it is the month's last day, and the next period comes back: 31 January, 28 February, 31 March.
 * Throws a `RangeError` before the anchor or past what a `Date` can show: the caller's bug.
 */
export const startOf = (anchor: Anchor, { interval, intervalCount }: Cycle, n: number): UnixMs => {
  const intervals = count(n - anchor.n)
  const start = calendar[interval].add(inUtc(anchor.at), intervals * intervalCount)
  return unixMs(DateTime.diffMilliseconds(epoch, start))
}

/** Period `n`, half-open: it ends where the next one begins. */
export const periodOf = (anchor: Anchor, cycle: Cycle, n: number): Period => ({
  start: startOf(anchor, cycle, n),
  end: startOf(anchor, cycle, n + 1),
})

/** The number of the period that holds a moment; of a moment before the anchor, the anchor's own. */
export const indexAt = (anchor: Anchor, cycle: Cycle, at: UnixMs): Count => {
  if (at <= anchor.at) return anchor.n
  const whole = calendar[cycle.interval].between(inUtc(anchor.at), inUtc(at))
  // A month that was clamped counts as whole on its last day or only after it, as the calendar's rule may be: look once.
  const guess = anchor.n + Math.floor(whole / cycle.intervalCount)
  return count(startOf(anchor, cycle, guess + 1) <= at ? guess + 1 : guess)
}

/** The whole second that a moment lies in: what a contract can be told. */
export const wholeSecond = (at: UnixMs): UnixMs => unixMs(at - (at % 1000))

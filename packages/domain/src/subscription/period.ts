import { Temporal } from 'temporal-polyfill'
import type { RecurringPeriod } from '../product/index.ts'
import { type Count, count, type UnixMs, unixMs } from '../shared/units.ts'
import type { Anchor, Cycle, Period } from './terms.ts'

const unitOf: Readonly<Record<RecurringPeriod, 'days' | 'weeks' | 'months' | 'years'>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  year: 'years',
}

const inUtc = (at: UnixMs): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC')

/**
 * When period `n` begins: so many intervals after the anchor, always counted from the anchor itself, in UTC. Where the
 * month is too short it is the month's last day, and the next period comes back: 31 January, 28 February, 31 March.
 * Throws a `RangeError` before the anchor or past what a `Date` can show: the caller's bug.
 */
export const startOf = (anchor: Anchor, { interval, intervalCount }: Cycle, n: number): UnixMs => {
  const intervals = count(n - anchor.n)
  const start = inUtc(anchor.at).add({ [unitOf[interval]]: intervals * intervalCount }, { overflow: 'constrain' })
  return unixMs(start.epochMilliseconds)
}

/** Period `n`, half-open: it ends where the next one begins. */
export const periodOf = (anchor: Anchor, cycle: Cycle, n: number): Period => ({
  start: startOf(anchor, cycle, n),
  end: startOf(anchor, cycle, n + 1),
})

/** The number of the period that holds a moment; of a moment before the anchor, the anchor's own. */
export const indexAt = (anchor: Anchor, cycle: Cycle, at: UnixMs): Count => {
  if (at <= anchor.at) return anchor.n
  const unit = unitOf[cycle.interval]
  const whole = inUtc(anchor.at).until(inUtc(at), { largestUnit: unit })[unit]
  // A month that was clamped counts as whole on its last day or only after it, as the calendar's rule may be: look once.
  const guess = anchor.n + Math.floor(whole / cycle.intervalCount)
  return count(startOf(anchor, cycle, guess + 1) <= at ? guess + 1 : guess)
}

/** The whole second that a moment lies in: what a contract can be told. */
export const wholeSecond = (at: UnixMs): UnixMs => unixMs(at - (at % 1000))

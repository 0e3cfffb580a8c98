import { type UnixMs, unixMs } from '../shared/units.ts'
import type { Cycle } from '../subscription/index.ts'

const dayMs = 24 * 3_600_000
const daysIn = { day: 1, week: 7 } as const
const monthsIn = { month: 1, year: 12 } as const

const addMonths = (start: UnixMs, months: number, lastDayStaysLast: boolean): UnixMs => {
  const from = new Date(start)
  const lastDay = (month: number) => new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = from.getUTCMonth() + months
  const isLast = from.getUTCDate() === lastDay(from.getUTCMonth())
  const day = lastDayStaysLast && isLast ? lastDay(to) : Math.min(from.getUTCDate(), lastDay(to))
  return unixMs(Date.UTC(from.getUTCFullYear(), to, day) + (start % dayMs))
}

const after = (start: UnixMs, { interval, intervalCount }: Cycle, lastDayStaysLast: boolean): UnixMs =>
  interval === 'day' || interval === 'week'
    ? unixMs(start + daysIn[interval] * intervalCount * dayMs)
    : addMonths(start, monthsIn[interval] * intervalCount, lastDayStaysLast)

/** The earliest start that the mandate's contract takes after one. Source: `contracts/mandate/src/calendar.rs`. */
export const contractNext = (start: UnixMs, cycle: Cycle): UnixMs => after(start, cycle, false)

/** Up to when, exclusively, it takes a charge for the period that begins at `start`. */
export const contractEnd = (start: UnixMs, cycle: Cycle): UnixMs => after(start, cycle, true)

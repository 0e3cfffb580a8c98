import { hourMs, unixMs } from '@quittance/domain'
import { type Club, dayMs } from '../renewal-subscribers.ts'

/** A day of a large merchant. */
export type DayPlan = {
  readonly subscriptions: number
  readonly hours: number
  /** Due in each hour, in % of all subscriptions. */
  readonly due: number
  /** Without money, in % of those. */
  readonly failing: number
  readonly channels: number
  /** No hour begins later than these minutes after the first. */
  readonly limitMinutes: number
}

const all = 100

export const dueInAnHour = ({ subscriptions, due }: DayPlan): number => Math.round((subscriptions * due) / all)

/** The numbers of the subscriptions that are due in an hour. All others come after those of the last hour. */
export const numbersOf = (plan: DayPlan, hour: number): ReadonlyArray<number> => {
  const count = dueInAnHour(plan)
  return Array.from({ length: count }, (_, index) => 1 + hour * count + index)
}

/** Those without money are spread evenly. */
export const isPoor = ({ failing }: DayPlan, number: number): boolean => number % Math.round(all / failing) === 0

/** The club as those see it who are due in an hour: their trial of a day began in that hour of the day before. */
export const clubOf = (club: Club, hour: number): Club => ({
  ...club,
  startedAt: unixMs(club.startedAt + hour * hourMs),
})

export const dueAtOf = (club: Club, hour: number): number => clubOf(club, hour).startedAt + dayMs

import {
  count,
  type Period,
  type RecurringPeriod,
  type SubscriptionEvent,
  type SubscriptionRecord,
  unixMs,
} from '@quittance/domain'

type Anchor = SubscriptionRecord['anchor']

const dayMs = 86_400_000

/** So many months later, at the same time of day, on the last day of a month that is too short. */
const monthsAfter = (at: number, months: number): number => {
  const from = new Date(at)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + (at % dayMs)
}

/** When period `n` begins, reckoned apart from the code that is under test. */
const startOf = ({ at, n: first }: Anchor, interval: RecurringPeriod, n: number): number => {
  switch (interval) {
    case 'day':
      return at + (n - first) * dayMs
    case 'week':
      return at + (n - first) * 7 * dayMs
    case 'month':
      return monthsAfter(at, n - first)
    case 'year':
      return monthsAfter(at, 12 * (n - first))
  }
}

/** By what periods are counted. */
type Calendar = { readonly anchor: Anchor; readonly interval: RecurringPeriod }

const startIn = ({ anchor, interval }: Calendar, n: number): number => startOf(anchor, interval, n)
const holds = (calendar: Calendar, { start, end }: Period, n: number): boolean =>
  n >= calendar.anchor.n && start === startIn(calendar, n) && end === startIn(calendar, n + 1)

/**
 * Paid periods that are not the calendar's of when they were charged for, or that have moved the anchor: it moves with the
 * rest of a trial, with a period that began late, after a pause or by an invoice, and with another interval, which is
 * counted from the next period on.
 */
export const offCalendar = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const chargedBy = new Map<string, Calendar>()
  const late = new Set<string>()
  let now: Calendar = { anchor: { at: unixMs(0), n: count(0) }, interval: 'day' }
  let next = 1
  let invoicedBy: Calendar | null = null
  const expectAnchor = (what: string, expected: Anchor, found: Anchor): void => {
    if (expected.at !== found.at || expected.n !== found.n) wrong.push(`${what} has moved the anchor`)
    now = { ...now, anchor: found }
  }
  /** The anchor after a period is paid for: as it was, or the period itself, or where that ends if the interval changed. */
  const anchorAfter = (n: Anchor['n'], period: Period): Anchor => {
    if (holds(now, period, n)) return now.anchor
    const own = { at: period.start, n }
    return holds({ ...now, anchor: own }, period, n) ? own : { at: period.end, n: count(n + 1) }
  }
  for (const { type, data } of events) {
    switch (type) {
      case 'SubscriptionStarted':
        now = { anchor: data.anchor, interval: data.details.terms.interval }
        break
      case 'Resumed':
        now = { ...now, anchor: data.trial?.anchor ?? now.anchor }
        break
      case 'ProductSwapped': {
        const { interval } = data.terms
        const at = unixMs(startIn(now, next))
        expectAnchor('a swap', interval === now.interval ? now.anchor : { at, n: count(next) }, data.anchor)
        now = { ...now, interval }
        break
      }
      case 'BecameOverdue':
        invoicedBy = now
        break
      case 'PeriodsForgiven':
        next = data.to + 1
        break
      case 'ChargeAttempted':
        chargedBy.set(data.paymentId, now)
        if (data.why === 'resume' || invoicedBy !== null) late.add(data.paymentId)
        break
      case 'ChargeConfirmed':
      case 'InvoiceSettled': {
        const { n, period } = data
        const by: Calendar = chargedBy.get(data.paymentId) ?? invoicedBy ?? now
        const isLate = type === 'InvoiceSettled' || late.has(data.paymentId)
        const isOwn = [by, now].some((each) => holds({ ...each, anchor: { at: period.start, n } }, period, n))
        if (!holds(by, period, n) && !(isLate && isOwn)) wrong.push(`period ${n} is not of the calendar`)
        expectAnchor(`period ${n}`, anchorAfter(n, period), data.anchor)
        next = n + 1
        invoicedBy = null
        break
      }
    }
  }
  return wrong
}

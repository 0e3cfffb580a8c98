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

/** Adds months, keeping the time of day, and using the last day of a shorter month. */
const monthsAfter = (at: number, months: number): number => {
  const from = new Date(at)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + (at % dayMs)
}

/** The start of period `n`, computed independently of the code under test. */
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

/** The anchor and interval that define periods. */
type Calendar = { readonly anchor: Anchor; readonly interval: RecurringPeriod }

const startIn = ({ anchor, interval }: Calendar, n: number): number => startOf(anchor, interval, n)
const holds = (calendar: Calendar, { start, end }: Period, n: number): boolean =>
  n >= calendar.anchor.n && start === startIn(calendar, n) && end === startIn(calendar, n + 1)

/**
 * Finds paid periods off the calendar in force at their charge, and events that move the anchor wrongly. The anchor may
 * move with the rest of a trial, with a late period after a pause or an invoice, and with another interval from the
 * next period on. `closedAt` of charges on the ledger, by their references.
 */
export const offCalendar = (
  events: ReadonlyArray<SubscriptionEvent>,
  closedAt: ReadonlyMap<string, number>,
): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const chargedBy = new Map<string, Calendar>()
  const late = new Set<string>()
  let now: Calendar = { anchor: { at: unixMs(0), n: count(0) }, interval: 'day' }
  let next = 1
  let invoicedBy: Calendar | null = null
  const expectAnchor = (what: string, expected: Anchor, found: Anchor): void => {
    if (expected.at !== found.at || expected.n !== found.n) wrong.push(`${what} moved the anchor`)
    now = { ...now, anchor: found }
  }
  /** The anchor after a paid period: unchanged, or the period's start, or its end if the interval changed. */
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
        // Recovered from the ledger: the log has lost why it was made, perhaps a late one after a pause.
        if (data.why === 'resume' || invoicedBy !== null || closedAt.get(data.paymentId) === data.at)
          late.add(data.paymentId)
        break
      case 'ChargeConfirmed':
      case 'InvoiceSettled': {
        const { n, period } = data
        const by: Calendar = chargedBy.get(data.paymentId) ?? invoicedBy ?? now
        const isLate = type === 'InvoiceSettled' || late.has(data.paymentId)
        const isOwn = [by, now].some((each) => holds({ ...each, anchor: { at: period.start, n } }, period, n))
        if (!holds(by, period, n) && !(isLate && isOwn)) wrong.push(`period ${n} is off the calendar`)
        expectAnchor(`period ${n}`, anchorAfter(n, period), data.anchor)
        next = n + 1
        invoicedBy = null
        break
      }
    }
  }
  return wrong
}

import type { Period, RecurringPeriod, SubscriptionEvent, SubscriptionRecord } from '@quittance/domain'

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

/**
 * Paid periods that are not the anchor's, or that have moved it: it moves with the rest of a trial, and with a period that
 * began late, after a pause or by an invoice.
 */
export const offCalendar = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const late = new Set<string>()
  let anchor: Anchor | null = null
  let interval: RecurringPeriod = 'day'
  let wasInvoiced = false
  const isAt = ({ start, end }: Period, from: Anchor, n: number): boolean =>
    start === startOf(from, interval, n) && end === startOf(from, interval, n + 1)
  for (const { type, data } of events) {
    switch (type) {
      case 'SubscriptionStarted':
        anchor = data.anchor
        interval = data.details.terms.interval
        break
      case 'Resumed':
        anchor = data.trial?.anchor ?? anchor
        break
      case 'BecameOverdue':
        wasInvoiced = true
        break
      case 'ChargeAttempted':
        if (data.why === 'resume' || wasInvoiced) late.add(data.paymentId)
        break
      case 'ChargeConfirmed':
      case 'InvoiceSettled': {
        const { n, period } = data
        const mayMove = type === 'InvoiceSettled' || late.has(data.paymentId)
        const isScheduled: boolean = anchor !== null && n >= anchor.n && isAt(period, anchor, n)
        const own = { at: period.start, n }
        if (!isScheduled && !(mayMove && isAt(period, own, n))) wrong.push(`period ${n} is not of the calendar`)
        const expected: Anchor = isScheduled && anchor !== null ? anchor : own
        if (expected.at !== data.anchor.at || expected.n !== data.anchor.n)
          wrong.push(`period ${n} has moved the anchor`)
        anchor = data.anchor
        wasInvoiced = false
        break
      }
    }
  }
  return wrong
}

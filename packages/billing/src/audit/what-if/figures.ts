import { accessEndsAt, type CurrencyCode, type SubscriptionRecord, type UnixMs } from '@quittance/domain'
import type { Moment } from './simulation.ts'

type State = SubscriptionRecord

/**
 * What subscriptions came to in a range of time. `attempts`: charges that were tried, and how many of them were `paid`;
 * `revenue` in hundredths of each currency, and `monthly` of each month, such as 2027-03: first periods, renewals and invoices
 * that were paid, less nothing for refunds;
 * `recovered`: debts that were paid after a charge had failed; `accessMs`: how long they gave access, in all;
 * `involuntary`: canceled as unpaid; `voluntary`: by customers, or because they were deleted; `otherEnds`: by a price
 * change or a reset of the network.
 */
export type Figures = {
  readonly attempts: number
  readonly paid: number
  readonly recovered: number
  readonly overdue: number
  readonly pauses: number
  readonly involuntary: number
  readonly voluntary: number
  readonly otherEnds: number
  readonly accessMs: number
  readonly revenue: Revenue
  readonly monthly: ReadonlyMap<string, Revenue>
}

type Revenue = ReadonlyMap<CurrencyCode, bigint>

export const noFigures: Figures = {
  attempts: 0,
  paid: 0,
  recovered: 0,
  overdue: 0,
  pauses: 0,
  involuntary: 0,
  voluntary: 0,
  otherEnds: 0,
  accessMs: 0,
  revenue: new Map(),
  monthly: new Map(),
}

type Counted = Exclude<keyof Figures, 'revenue' | 'monthly'>

const added = (one: Revenue, other: Revenue): Revenue => {
  const sum = new Map(one)
  for (const [currency, cents] of other) sum.set(currency, (sum.get(currency) ?? 0n) + cents)
  return sum
}

const addedByMonth = (one: Figures['monthly'], other: Figures['monthly']): Figures['monthly'] => {
  const sum = new Map(one)
  for (const [month, revenue] of other) sum.set(month, added(sum.get(month) ?? new Map(), revenue))
  return sum
}

/** The figures of several subscriptions together. */
export const sumOf = (one: Figures, other: Figures): Figures => {
  const sum = (name: Counted): number => one[name] + other[name]
  return {
    attempts: sum('attempts'),
    paid: sum('paid'),
    recovered: sum('recovered'),
    overdue: sum('overdue'),
    pauses: sum('pauses'),
    involuntary: sum('involuntary'),
    voluntary: sum('voluntary'),
    otherEnds: sum('otherEnds'),
    accessMs: sum('accessMs'),
    revenue: added(one.revenue, other.revenue),
    monthly: addedByMonth(one.monthly, other.monthly),
  }
}

/** The figures of one subscription, from `from` on and before `to`. */
export const figuresOf = (moments: ReadonlyArray<Moment>, from: UnixMs, to: UnixMs): Figures => {
  let figures = noFigures
  const count = (name: Counted, by = 1): void => {
    figures = { ...figures, [name]: figures[name] + by }
  }
  const earn = ({ currency, cents }: State['terms']['price'], at: UnixMs): void => {
    const revenue: Revenue = new Map([[currency, cents]])
    const monthly = new Map([[new Date(at).toISOString().slice(0, 7), revenue]])
    figures = sumOf(figures, { ...noFigures, revenue, monthly })
  }
  moments.forEach(({ at, events, state }, index) => {
    const before = moments[index - 1]?.state ?? null
    const until = Math.min(moments[index + 1]?.at ?? to, to, accessEndsAt(state) ?? 0)
    count('accessMs', Math.max(0, until - Math.max(at, from)))
    if (at < from || at >= to) return
    for (const { type, data } of events) {
      switch (type) {
        case 'SubscriptionStarted':
          if (data.details.firstPaymentId !== null) earn(data.details.terms.price, at)
          break
        case 'ChargeAttempted':
          count('attempts')
          break
        case 'ChargeConfirmed': {
          const charged = state.attempts.find(({ paymentId }) => paymentId === data.paymentId)
          earn(charged?.price ?? state.terms.price, at)
          count('paid')
          if (before !== null && before.collection._tag !== 'current') count('recovered')
          break
        }
        case 'InvoiceSettled':
          earn((before ?? state).terms.price, at)
          if (before !== null && before.collection._tag !== 'current') count('recovered')
          break
        case 'BecameOverdue':
          count('overdue')
          break
        case 'Paused':
          count('pauses')
          break
        case 'SubscriptionCanceled':
          count(endOf(data.reason))
          break
        default:
          break
      }
    }
  })
  return figures
}

type Reason = Extract<State['lifecycle'], { readonly _tag: 'canceled' }>['reason']

const endOf = (reason: Reason): Counted => {
  switch (reason) {
    case 'unpaid':
      return 'involuntary'
    case 'requested':
    case 'revoked':
    case 'customer_deleted':
      return 'voluntary'
    case 'price_change':
    case 'network_reset':
      return 'otherEnds'
  }
}

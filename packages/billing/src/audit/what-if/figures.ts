import { accessEndsAt, type CurrencyCode, type SubscriptionRecord, type UnixMs } from '@quittance/domain'
import type { Moment } from './simulation.ts'

type State = SubscriptionRecord

/**
 * What subscriptions came to in a range of time. `attempts`: charges that were tried, and how many of them were `paid`;
 * `revenue` in hundredths of each currency: first periods, renewals and invoices that were paid, less nothing for refunds;
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
  readonly revenue: ReadonlyMap<CurrencyCode, bigint>
}

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
}

type Counted = Exclude<keyof Figures, 'revenue'>

/** The figures of several subscriptions together. */
export const sumOf = (one: Figures, other: Figures): Figures => {
  const revenue = new Map(one.revenue)
  for (const [currency, cents] of other.revenue) revenue.set(currency, (revenue.get(currency) ?? 0n) + cents)
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
    revenue,
  }
}

/** The figures of one subscription, from `from` on and before `to`. */
export const figuresOf = (moments: ReadonlyArray<Moment>, from: UnixMs, to: UnixMs): Figures => {
  let figures = noFigures
  const count = (name: Counted, by = 1): void => {
    figures = { ...figures, [name]: figures[name] + by }
  }
  const earn = ({ currency, cents }: State['terms']['price']): void => {
    figures = {
      ...figures,
      revenue: new Map(figures.revenue).set(currency, (figures.revenue.get(currency) ?? 0n) + cents),
    }
  }
  moments.forEach(({ at, events, state }, index) => {
    const before = moments[index - 1]?.state ?? null
    const until = Math.min(moments[index + 1]?.at ?? to, to, accessEndsAt(state) ?? 0)
    count('accessMs', Math.max(0, until - Math.max(at, from)))
    if (at < from || at >= to) return
    for (const { type, data } of events) {
      switch (type) {
        case 'SubscriptionStarted':
          if (data.details.firstPaymentId !== null) earn(data.details.terms.price)
          break
        case 'ChargeAttempted':
          count('attempts')
          break
        case 'ChargeConfirmed': {
          const charged = state.attempts.find(({ paymentId }) => paymentId === data.paymentId)
          earn(charged?.price ?? state.terms.price)
          count('paid')
          if (before !== null && before.collection._tag !== 'current') count('recovered')
          break
        }
        case 'InvoiceSettled':
          earn((before ?? state).terms.price)
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

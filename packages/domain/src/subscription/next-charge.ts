import { type Count, count, dayMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { ChargeReason } from './causes.ts'
import { attemptUnderWay } from './decision.ts'
import { indexAt, periodOf, startOf, wholeSecond } from './period.ts'
import type { SubscriptionRecord } from './state.ts'
import type { Period } from './terms.ts'

/** A charge that may be attempted: the `k`th attempt for period `n`, and the periods that are forgiven with it. */
export type NextCharge = {
  readonly n: Count
  readonly k: Count
  readonly period: Period
  readonly why: ChargeReason
  readonly forgiven: { readonly from: Count; readonly to: Count } | null
}

/** When a charge is next to be attempted, or a hard cause to be looked at; null where none is. */
export const chargeDueAt = (state: SubscriptionRecord): UnixMs | null => {
  const due = attemptUnderWay(state) === null ? dueUnlessStopped(state) : null
  return due === null ? null : unixMs(Math.max(due, state.stoppedUntil ?? 0))
}

/** Between the ledger of a payment and the next charge lies a day, or half of a shorter period: the contract's own rule. */
const mostBetweenMs = dayMs

/** A charge waits that would follow too soon on a payment, which came near the end of its own period. */
const spaced = ({ covered, anchor, terms, nextN }: SubscriptionRecord, at: UnixMs): UnixMs => {
  const { paidAt } = covered
  if (paidAt === null || at >= paidAt + mostBetweenMs) return at
  const next = periodOf(anchor, terms, nextN)
  return unixMs(Math.max(at, paidAt + Math.min(mostBetweenMs, Math.floor((next.end - next.start) / 2))))
}

/** When the next charge is made by what everybody may know; null where none is. */
export const nextChargeAt = (state: SubscriptionRecord): UnixMs | null => {
  const { lifecycle, collection, cancellation, covered, retryAt } = state
  if (lifecycle._tag === 'paused') return lifecycle.resuming === null ? null : spaced(state, lifecycle.resuming)
  if (lifecycle._tag === 'canceled' || cancellation !== null || collection._tag === 'invoiced') return null
  return collection._tag === 'dunning' ? retryAt : spaced(state, covered.period.end)
}

const dueUnlessStopped = (state: SubscriptionRecord): UnixMs | null => {
  const { lifecycle, collection, cancellation, retryOffsetMs, retryRequestedAt } = state
  const retryAt = state.retryAt === null ? null : unixMs(state.retryAt + retryOffsetMs)
  switch (lifecycle._tag) {
    case 'canceled':
      return null
    case 'paused':
      return lifecycle.resuming === null ? null : (retryAt ?? nextChargeAt(state))
    case 'running':
      if (cancellation !== null) return null
      return collection._tag === 'current' ? (retryAt ?? nextChargeAt(state)) : (retryRequestedAt ?? retryAt)
  }
}

/**
 * When the next period to be paid for begins on the schedule. A mandate that is asked for has to allow charges from then
 * on, even where that has passed: it may have to pay for the period that is owed.
 */
export const nextPeriodStart = ({ anchor, terms, nextN }: SubscriptionRecord): UnixMs => startOf(anchor, terms, nextN)

/**
 * What a charge would be for at a moment: the period then current, on the schedule; for an invoice its own period. After a
 * pause, and for an invoice whose period is over, the period begins now.
 */
export const chargeAt = (state: SubscriptionRecord, now: UnixMs): NextCharge => {
  const { lifecycle, collection, covered, anchor, terms, nextN } = state
  const charge = (n: Count, period: Period, why: ChargeReason): NextCharge => ({
    n,
    k: count(state.attempts.filter((attempt) => attempt.n === n).length),
    period,
    why,
    forgiven: nextN < n ? { from: nextN, to: count(n - 1) } : null,
  })
  const fromNow = (n: Count): Period => periodOf({ at: wholeSecond(now), n }, terms, n)
  if (lifecycle._tag === 'paused') return charge(nextN, fromNow(nextN), 'resume')
  if (collection._tag === 'invoiced') {
    const { n } = collection.invoice
    // Of another length than the invoice's, where the product was swapped meanwhile.
    const period = periodOf(anchor, terms, n)
    return charge(n, now < period.end ? period : fromNow(n), 'retry')
  }
  const current = indexAt(anchor, terms, now)
  const n = current > nextN ? current : nextN
  const first = covered.kind === 'trial' ? 'trial_end' : 'renewal'
  return charge(n, periodOf(anchor, terms, n), collection._tag === 'dunning' ? 'retry' : first)
}

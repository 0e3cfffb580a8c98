import type { Policy } from '../merchant/index.ts'
import { nothing } from '../shared/decider.ts'
import { dayMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { UnsettledCause } from './causes.ts'
import type { EndUnsettled } from './commands.ts'
import { attemptUnderWay, type Decision, forbidden, record, reject, rejectUnderWay } from './decision.ts'
import { invoiceMs } from './dunning.ts'
import { undecidedMs } from './entitlement.ts'
import { forgive, lostPeriods } from './losing.ts'
import { chargeAt, chargeDueAt } from './next-charge.ts'
import type { SubscriptionRecord } from './state.ts'

/** So long a charge is tried at least, also after a longer time without a worker: the operator has been alarmed. */
const triedMs = dayMs

/**
 * From when on a charge counts as one that no attempt can settle, for a cause on our side: a week after the end of what is
 * paid for, when access ends. Null while nothing is in the way of the charge, or it is invoiced.
 */
export const unsettledAt = ({ lifecycle, collection, covered, trouble }: SubscriptionRecord): UnixMs | null =>
  lifecycle._tag !== 'running' || collection._tag === 'invoiced' || trouble === null
    ? null
    : unixMs(Math.max(covered.period.end + undecidedMs, trouble.since + triedMs))

/**
 * From when on a charge may be made at the last agreed rates. If the charge before it was, the outage goes on: its week was
 * given, and is not given for each period anew.
 */
export const agreedFrom = (state: SubscriptionRecord): UnixMs | null => {
  const { attempts, collection, covered, trouble } = state
  if (trouble !== null && collection._tag === 'invoiced' && collection.unsettled !== undefined) return collection.at
  const since = unsettledAt(state)
  if (since === null || trouble === null || attempts.at(-1)?.agreedRates === undefined) return since
  return unixMs(Math.max(covered.period.end, trouble.since))
}

/** Whether an attempt has failed, too, since the charge counts as unsettled, and `rates_after` has not ended it yet. */
export const hasFailedUnsettled = (state: SubscriptionRecord): boolean => {
  const since = unsettledAt(state)
  const last = state.attempts.at(-1)
  return state.collection._tag === 'current' && since !== null && last?.status === 'failed' && last.at >= since
}

/**
 * What the policy makes of a charge for which there is no rate at a moment: whether it may be made at the last agreed rates,
 * and whether it is otherwise invoiced, or the subscription paused, rather than tried again later. A debt of the customer's own
 * is left to dunning.
 */
export const withoutRate = (
  state: SubscriptionRecord,
  { ratesAfter }: Pick<Policy, 'ratesAfter'>,
  at: UnixMs,
  cause: Exclude<UnsettledCause, 'charge_failed'>,
): { readonly mayBeAgreed: boolean; readonly isEnded: boolean } => {
  const isReached = (since: UnixMs | null): boolean => since !== null && at >= since
  return {
    mayBeAgreed: ratesAfter === 'charge_at_peg' && cause !== 'peg_broken' && isReached(agreedFrom(state)),
    isEnded: state.collection._tag === 'current' && isReached(unsettledAt(state)),
  }
}

const hasEnded = ({ lifecycle, collection }: SubscriptionRecord): boolean =>
  (lifecycle._tag === 'paused' && lifecycle.unsettled !== undefined) ||
  (collection._tag === 'invoiced' && collection.unsettled !== undefined)

/** Debts of customers who have failed a charge are left to dunning. */
export const endUnsettled = (command: EndUnsettled, state: SubscriptionRecord): Decision => {
  const { at, n, cause, invoiceId, policy } = command
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  if (hasEnded(state)) return nothing
  const since = unsettledAt(state)
  if (since === null || state.collection._tag !== 'current') return forbidden(state)
  const dueAt = chargeDueAt(state)
  if (dueAt === null || at < Math.max(since, dueAt)) return reject({ _tag: 'NotDue', dueAt: since })
  const due = chargeAt(state, at)
  const { k, period } = due
  if (n !== due.n) return reject({ _tag: 'OtherChargeDue', n: due.n, k, periodStart: period.start })
  if (policy.ratesAfter === 'pause') {
    // With the period that has begun, which nobody pays for either.
    return record({ type: 'Paused', data: { at, unsettled: cause, ...lostPeriods(state.terms, n - state.nextN + 1) } })
  }
  const invoice = { invoiceId, n, period, dueAt: period.start, cancelAt: unixMs(at + invoiceMs) }
  return record(...forgive(state, due, at), { type: 'BecameOverdue', data: { invoice, at, unsettled: cause } })
}

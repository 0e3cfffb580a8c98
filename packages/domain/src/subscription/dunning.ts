import type { Policy } from '../merchant/index.ts'
import { nothing } from '../shared/decider.ts'
import { dayMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { BecomeOverdue, CancelUnpaid, GiveFinalNotice, RequestRetry } from './commands.ts'
import { attemptUnderWay, type Decision, forbidden, record, reject, rejectUnderWay } from './decision.ts'
import { lostPeriods } from './losing.ts'
import type { SubscriptionRecord } from './state.ts'

/** An invoice is canceled as unpaid so long after its due date, and stays payable for a day at the least. */
export const invoiceMs = 30 * dayMs
/** One that was issued for a cause on our side stays payable so long after the last attempt. */
const payableMs = 7 * dayMs

/** The wallet can pay, or a retry is requested: the charge is due at once, whatever the schedule says. */
export const requestRetry = ({ cause, at }: RequestRetry, state: SubscriptionRecord): Decision => {
  if (state.status !== 'past_due' && state.status !== 'overdue') return forbidden(state)
  return state.retryRequestedAt === null ? record({ type: 'RetryRequested', data: { cause, at } }) : nothing
}

/** What is owed is tried at once when the customer has just allowed it. */
export const retryAuthorized = (state: SubscriptionRecord, at: UnixMs): Decision =>
  state.status === 'past_due' || state.status === 'overdue'
    ? requestRetry({ type: 'RequestRetry', cause: 'authorized', at }, state)
    : nothing

export const giveFinalNotice = ({ at }: GiveFinalNotice, state: SubscriptionRecord): Decision => {
  const { status, collection } = state
  if (status !== 'past_due' || collection._tag !== 'dunning') return forbidden(state)
  const { isFinalNoticeGiven, finalNoticeAt } = collection
  if (isFinalNoticeGiven) return nothing
  if (finalNoticeAt === null || at < finalNoticeAt) return reject({ _tag: 'NotDue', dueAt: finalNoticeAt })
  return record({ type: 'FinalNoticeGiven', data: { at } })
}

/** Automatic charging has ended: the period that was attempted last is owed, from its own due date. */
export const becomeOverdue = ({ invoiceId, at }: BecomeOverdue, state: SubscriptionRecord): Decision => {
  const { status, collection, attempts } = state
  if (status === 'overdue') return nothing
  if (status !== 'past_due' || collection._tag !== 'dunning') return forbidden(state)
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  const { overdueAt, n } = collection
  const last = attempts.findLast((attempt) => attempt.n === n)
  if (last === undefined || overdueAt === null || at < overdueAt) return reject({ _tag: 'NotDue', dueAt: overdueAt })
  const { period } = last
  const cancelAt = unixMs(Math.max(period.start + invoiceMs, at + dayMs))
  return record({
    type: 'BecameOverdue',
    data: { invoice: { invoiceId, n, period, dueAt: period.start, cancelAt }, at },
  })
}

/** When an invoice is canceled as unpaid; null while a cause on our side keeps the mandate from being charged for it. */
export const invoiceCancelAt = ({ collection, attempts, trouble }: SubscriptionRecord): UnixMs | null => {
  if (collection._tag !== 'invoiced') return null
  const { invoice, unsettled } = collection
  if (unsettled === undefined) return invoice.cancelAt
  return trouble === null ? unixMs(Math.max(invoice.cancelAt, (attempts.at(-1)?.at ?? 0) + payableMs)) : null
}

/** When it may be canceled as unpaid; null while that is not how it ends. */
const unpaidAt = (state: SubscriptionRecord, { afterRetries }: Policy) => {
  const { collection } = state
  if (collection._tag === 'invoiced') return invoiceCancelAt(state)
  return collection._tag === 'dunning' && afterRetries === 'cancel' ? collection.overdueAt : null
}

export const cancelUnpaid = ({ at, policy }: CancelUnpaid, state: SubscriptionRecord): Decision => {
  if (state.lifecycle._tag === 'canceled') return nothing
  if (state.status !== 'past_due' && state.status !== 'overdue') return forbidden(state)
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  const dueAt = unpaidAt(state, policy)
  if (dueAt === null || at < dueAt) return reject({ _tag: 'NotDue', dueAt })
  const isLost = state.collection._tag === 'invoiced' && state.collection.unsettled !== undefined
  const lost = isLost ? lostPeriods(state.terms, 1) : {}
  return record({ type: 'SubscriptionCanceled', data: { reason: 'unpaid', canceledAt: at, ...lost } })
}

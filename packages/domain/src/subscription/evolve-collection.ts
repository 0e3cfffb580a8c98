import type { PaymentId } from '../shared/ids.ts'
import { count } from '../shared/units.ts'
import type { ChargeFailure, Invoice, SubscriptionEvent } from './events.ts'
import type { Attempt, Collection, Machines } from './state.ts'

type Paid = Extract<SubscriptionEvent, { readonly type: 'ChargeConfirmed' | 'InvoiceSettled' }>['data']

/** Nothing is to be tried, and nothing is in the way. */
export const quiet = { retryAt: null, retryRequestedAt: null, trouble: null, alarmedAt: null }

/** As quiet, and no attempts are stopped: what had them stopped is over. */
export const over = { ...quiet, stoppedUntil: null }

export const withAttempt = (state: Machines, paymentId: PaymentId, change: Partial<Attempt>): ReadonlyArray<Attempt> =>
  state.attempts.map((attempt) => (attempt.paymentId === paymentId ? { ...attempt, ...change } : attempt))

export const withInvoicePayment = (
  state: Machines,
  id: Invoice['invoiceId'],
  paymentId: PaymentId,
): Machines['invoices'] =>
  state.invoices.map((each) =>
    each.invoice.invoiceId === id ? { ...each, payments: [...each.payments, paymentId] } : each,
  )

/** A period is paid for: whatever was owed before it is not owed any more. */
export const paid = (
  state: Machines,
  { n, period, anchor, closedAt }: Pick<Paid, 'n' | 'period' | 'anchor' | 'closedAt'>,
): Machines => {
  const { cancellation, authorization } = state
  const why = authorization.requested?.why
  const isRequestMoot = why === 'charge_failed' || why === 'foreseen'
  return {
    ...state,
    ...over,
    covered: { kind: 'paid', n, period, paidAt: closedAt },
    anchor,
    nextN: count(n + 1),
    collection: { _tag: 'current' },
    failedPaymentCount: count(0),
    cancellation: cancellation === null ? null : { ...cancellation, endsAt: period.end },
    authorization: { ...authorization, missing: null, requested: isRequestMoot ? null : authorization.requested },
  }
}

const dunningAfter = (collection: Collection, failure: ChargeFailure): Collection => {
  if (!failure.counts || collection._tag === 'invoiced') return collection
  const before = collection._tag === 'dunning' ? collection : null
  const { n, outcome, cause, failedAt, finalNoticeAt, overdueAt, graceUntil } = failure
  return {
    _tag: 'dunning',
    n,
    since: before?.since ?? failedAt,
    outcome,
    cause,
    hardSince: outcome === 'hard' ? (before?.hardSince ?? failedAt) : null,
    finalNoticeAt,
    isFinalNoticeGiven: before?.isFinalNoticeGiven ?? false,
    overdueAt,
    graceUntil,
  }
}

/** A charge brought nothing. */
export const failed = (state: Machines, failure: ChargeFailure): Machines => {
  const { paymentId, failedAt, includedIn, retryAt, retryOffsetMs = count(0), counts, outcome } = failure
  const includedAt = includedIn === null ? null : failedAt
  const { trouble } = state
  // A charge that is not retried blocks nothing.
  const isTroubled = outcome === 'technical' && retryAt !== null
  return {
    ...state,
    attempts: withAttempt(state, paymentId, { status: 'failed', includedAt }),
    collection: dunningAfter(state.collection, failure),
    failedPaymentCount: count(state.failedPaymentCount + (counts ? 1 : 0)),
    retryAt,
    retryOffsetMs,
    trouble: isTroubled ? { since: trouble?.since ?? failedAt, tries: count((trouble?.tries ?? 0) + 1) } : null,
    alarmedAt: isTroubled && trouble !== null ? state.alarmedAt : null,
  }
}

import type { InvoiceEnd } from '../checkout/index.ts'
import { nothing } from '../shared/decider.ts'
import type { InvoiceId } from '../shared/ids.ts'
import { count, type UnixMs } from '../shared/units.ts'
import type { PaymentAsideReason } from './causes.ts'
import type { ConfirmCharge, SettleInvoice } from './commands.ts'
import { andThen, type Decision, type LaterEvent, record, reject } from './decision.ts'
import { lostPeriods } from './losing.ts'
import { indexAt, periodOf, startOf, wholeSecond } from './period.ts'
import type { SubscriptionRecord, SubscriptionState } from './state.ts'
import type { Anchor, Period } from './terms.ts'

/**
 * The anchor that holds once period `n` is paid for: the schedule stands if the period is the schedule's. Otherwise the
 * next periods are counted from this one, or from its end where the interval has changed meanwhile.
 */
const anchorAfter = ({ anchor, terms }: SubscriptionRecord, n: number, { start, end }: Period): Anchor => {
  const isScheduled = n >= anchor.n && startOf(anchor, terms, n) === start && startOf(anchor, terms, n + 1) === end
  if (isScheduled) return anchor
  const fromStart = { at: start, n: count(n) }
  return startOf(fromStart, terms, n + 1) === end ? fromStart : { at: end, n: count(n + 1) }
}

/** Records a payment; a resumption that waited for one has come to its end with it. */
const advance = (state: SubscriptionRecord, paid: LaterEvent, at: UnixMs): Decision =>
  andThen(state, [paid], ({ lifecycle }) =>
    lifecycle._tag === 'paused' && lifecycle.resuming !== null
      ? record({ type: 'Resumed', data: { at, trial: null } })
      : nothing,
  )

/** Why money for period `n` counts for nothing here; null where it counts. */
const asideReason = (
  { lifecycle, nextN, attempts, invoices }: SubscriptionRecord,
  n: number,
): PaymentAsideReason | null => {
  if (n < nextN) {
    const isPaid =
      n === 0 ||
      attempts.some((attempt) => attempt.n === n && attempt.status === 'confirmed') ||
      invoices.some(({ invoice, payments }) => invoice.n === n && payments.length > 0)
    return isPaid ? 'paid_twice' : 'period_forgiven'
  }
  return lifecycle._tag === 'canceled' ? 'after_cancellation' : null
}

/** The periods that passed before an invoice could be paid that was issued for a cause on our side. */
const passed = ({ collection, anchor, terms }: SubscriptionRecord, { start }: Period) =>
  collection._tag === 'invoiced' && collection.unsettled !== undefined && start > collection.invoice.period.start
    ? lostPeriods(terms, indexAt(anchor, terms, start) - collection.invoice.n)
    : {}

/**
 * A closed ledger holds the charge. It counts whatever has become of the subscription meanwhile, also where the attempt had
 * been given up, unless it is canceled or the period is paid for or forgiven: then the money is set aside, to go back.
 */
export const confirmCharge = (command: ConfirmCharge, state: SubscriptionRecord): Decision => {
  const { paymentId, transactionHash, ledger, closedAt } = command
  const attempt = state.attempts.find((each) => each.paymentId === paymentId)
  if (attempt === undefined) return reject({ _tag: 'AttemptNotFound', paymentId })
  if (attempt.status === 'confirmed' || attempt.status === 'set_aside') return nothing
  const { n, k, period, amount } = attempt
  const paid = { n, paymentId, amount, transactionHash, ledger, closedAt }
  const reason = asideReason(state, n)
  if (reason !== null) return record({ type: 'PaymentSetAside', data: { ...paid, reason } })
  const anchor = anchorAfter(state, n, period)
  const data = { k, ...paid, period, anchor, ...passed(state, period) }
  return advance(state, { type: 'ChargeConfirmed', data }, closedAt)
}

/** Why an invoice is not to be paid any more; null while it is, and where it was. */
export const invoiceEnd = (state: SubscriptionState, invoiceId: InvoiceId): InvoiceEnd | null => {
  const known =
    state.status === 'absent' ? undefined : state.invoices.find(({ invoice }) => invoice.invoiceId === invoiceId)
  if (state.status === 'absent' || known === undefined) return 'not_owed'
  if (known.payments.length > 0) return null
  const reason = asideReason(state, known.invoice.n)
  if (reason === null) return null
  return reason === 'after_cancellation' ? 'not_owed' : 'paid_otherwise'
}

/** An invoice pays for its period; for one period from now on, where that one is over. */
export const settleInvoice = (command: SettleInvoice, state: SubscriptionRecord): Decision => {
  const { type: _, ...payment } = command
  const { invoiceId, paymentId, closedAt } = payment
  const known = state.invoices.find(({ invoice }) => invoice.invoiceId === invoiceId)
  if (known === undefined) return reject({ _tag: 'InvoiceNotFound', invoiceId })
  if (known.payments.includes(paymentId) || state.unappliedPayments.includes(paymentId)) return nothing
  const { n, period: due } = known.invoice
  const reason = asideReason(state, n)
  if (reason !== null) {
    const { invoiceId: _, ...paid } = payment
    return record({ type: 'PaymentSetAside', data: { n, ...paid, reason } })
  }
  const period = closedAt < due.end ? due : periodOf({ at: wholeSecond(closedAt), n }, state.terms, n)
  const anchor = anchorAfter(state, n, period)
  const data = { n, ...payment, period, anchor, ...passed(state, period) }
  return advance(state, { type: 'InvoiceSettled', data }, closedAt)
}

import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { isBroughtBy, type TransactionHash } from '../shared/incoming-payment.ts'
import { hourMs, positiveCount, unixMs } from '../shared/units.ts'
import { acceptEnrolment } from './accept-enrolment.ts'
import { acceptIncomingPayment } from './accept-incoming-payment.ts'
import type {
  AttachCustomer,
  CheckoutCommand,
  CompleteCheckout,
  CreateCheckout,
  IssueQuote,
  RecordDeadTransaction,
  SubmitTransaction,
} from './commands.ts'
import { type Decision, notOpen, reject } from './decision.ts'
import { endSession, failSession } from './end-session.ts'
import type { CheckoutEvent } from './events.ts'
import { offerMandate } from './offer-mandate.ts'
import { issued } from './quote.ts'
import { type CheckoutRecord, type CheckoutState, currentQuote, transactionsInFlight } from './state.ts'

const sessionLifetimeMs = 24 * hourMs

const create = ({ type: _, at, ...sale }: CreateCheckout, state: CheckoutState): Decision => {
  const details = { ...sale, expiresAt: sale.expiresAt ?? unixMs(at + sessionLifetimeMs) }
  if (state.status !== 'absent') {
    return isSame(state.details, details) ? nothing : reject({ _tag: 'CheckoutAlreadyExists' })
  }
  const { kind, productId, priceVersion, price, subscription } = details
  const namesProduct = kind === 'product'
  if (subscription !== undefined && !namesProduct) return reject({ _tag: 'ProductMismatch' })
  if ((productId !== null) !== namesProduct || (priceVersion !== null) !== namesProduct) {
    return reject({ _tag: 'ProductMismatch' })
  }
  const amount = price._tag === 'fiat' ? price.cents : price.stroops
  if (amount === 0n) return reject({ _tag: 'PriceNotPositive' })
  const created: CheckoutEvent = { type: 'CheckoutCreated', data: details }
  if (price._tag === 'fiat') return E.right([created])
  const quote = {
    ordinal: positiveCount(1),
    amount: price.stroops,
    validFrom: at,
    validUntil: details.expiresAt,
    excessFloor: null,
    rates: [],
  }
  return E.right([created, { type: 'QuoteIssued', data: quote }])
}

/** No quote outlives the session. */
const issueQuote = ({ at, quote }: IssueQuote, state: CheckoutRecord): Decision => {
  if (state.status !== 'open') return notOpen(state)
  const { details, quotes } = state
  if (at >= details.expiresAt) return reject({ _tag: 'DeadlinePassed', expiresAt: details.expiresAt })
  if (details.price._tag === 'asset' || currentQuote(state, at) !== null) return nothing
  if (quote.amount === 0n) return reject({ _tag: 'QuoteNotPositive' })
  return E.right([{ type: 'QuoteIssued', data: issued(quote, quotes, at, details.expiresAt) }])
}

/** Once a guest's payment has begun, no customer is attached to it. */
const attachCustomer = ({ customerId }: AttachCustomer, state: CheckoutRecord): Decision => {
  if (state.customerId === customerId) return nothing
  if (state.status !== 'open') return notOpen(state)
  if (state.customerId !== null) return reject({ _tag: 'CustomerAlreadyAttached', customerId: state.customerId })
  if (state.paymentId !== null) return reject({ _tag: 'PaymentAlreadyBegun', paymentId: state.paymentId })
  return E.right([{ type: 'CustomerAttached', data: { customerId } }])
}

/** One payment at a time: a further transaction belongs to the payment that is open. */
const submitTransaction = (command: SubmitTransaction, state: CheckoutRecord): Decision => {
  const { at, transactionHash, maxTime, envelopeXdr } = command
  const isKnown = state.transactions.some((each) => each.transactionHash === transactionHash)
  const hasArrived = state.accepted.some((incoming) => isBroughtBy(incoming, transactionHash))
  if (isKnown || hasArrived) return nothing
  if (state.status !== 'open') return notOpen(state)
  const { expiresAt, subscription } = state.details
  if (at >= expiresAt) return reject({ _tag: 'DeadlinePassed', expiresAt })
  if (subscription !== undefined && !isPaidOffer(state, transactionHash)) {
    return reject({ _tag: 'MandateNotOffered', transactionHash })
  }
  const paymentId = state.paymentId ?? command.paymentId
  if (state.failedPayments.includes(paymentId)) return reject({ _tag: 'PaymentIdSpent', paymentId })
  const submitted = { transactionHash, maxTime, paymentId, ...(envelopeXdr !== undefined && { envelopeXdr }) }
  return E.right([{ type: 'TransactionSubmitted', data: submitted }])
}

/** A trial's mandate brings no payment. */
const isPaidOffer = ({ offers }: CheckoutRecord, transactionHash: TransactionHash): boolean =>
  offers.some((offer) => offer.transactionHash === transactionHash && offer.firstAmount > 0n)

/** With its last transaction, and without an incoming payment, the payment's attempt has failed; another may follow. */
const recordDeadTransaction = ({ transactionHash }: RecordDeadTransaction, state: CheckoutRecord): Decision => {
  const submitted = state.transactions.find((each) => each.transactionHash === transactionHash)
  if (submitted === undefined) return reject({ _tag: 'TransactionUnknown', transactionHash })
  if (submitted.isDead) return nothing
  if (state.accepted.some((incoming) => isBroughtBy(incoming, transactionHash))) {
    return reject({ _tag: 'TransactionHasCredit', transactionHash })
  }
  const died: CheckoutEvent = { type: 'TransactionDied', data: { transactionHash } }
  const isLast = transactionsInFlight(state).length === 1
  if (!isLast || state.accepted.length > 0) return E.right([died])
  return E.right([died, { type: 'PaymentAttemptFailed', data: { paymentId: submitted.paymentId } }])
}

/** Completed at the close time of the ledger whose payment covered the price, or that holds the mandate of a trial. */
const complete = ({ paymentId }: CompleteCheckout, state: CheckoutRecord): Decision => {
  if (state.status === 'open') return reject({ _tag: 'CheckoutNotSettled' })
  if (state.status === 'expired' || state.status === 'failed') return notOpen(state)
  const known = state.status === 'enrolled' ? null : (state.settlement?.paymentId ?? null)
  if (known !== paymentId) return reject({ _tag: 'OtherPayment', paymentId: known })
  if (state.status === 'completed') return nothing
  const { terms } = state.details
  const accepted = terms === undefined ? {} : { terms }
  if (state.status === 'enrolled') {
    const completedAt = state.enrolment.closedAt
    return E.right([{ type: 'CheckoutCompletedUnpaid', data: { completedAt, ...accepted } }])
  }
  const { paymentId: settledBy, closedAt: completedAt } = state.settlement
  return E.right([{ type: 'CheckoutCompleted', data: { paymentId: settledBy, completedAt, ...accepted } }])
}

export const decide =
  (command: CheckoutCommand) =>
  (state: CheckoutState): Decision => {
    if (command.type === 'CreateCheckout') return create(command, state)
    if (state.status === 'absent') return reject({ _tag: 'CheckoutNotFound' })
    switch (command.type) {
      case 'IssueQuote':
        return issueQuote(command, state)
      case 'AttachCustomer':
        return attachCustomer(command, state)
      case 'OfferMandate':
        return offerMandate(command, state)
      case 'AcceptEnrolment':
        return acceptEnrolment(command, state)
      case 'SubmitTransaction':
        return submitTransaction(command, state)
      case 'RecordDeadTransaction':
        return recordDeadTransaction(command, state)
      case 'AcceptCredit':
        return acceptIncomingPayment(command, state)
      case 'CompleteCheckout':
        return complete(command, state)
      case 'EndSession':
        return endSession(command, state)
      case 'FailSession':
        return failSession(command, state)
    }
  }

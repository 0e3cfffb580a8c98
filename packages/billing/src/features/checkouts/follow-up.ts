import { type LedgerSequence, Payment, type PaymentId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { rememberedPayments } from '../../kernel/remembered-sessions.ts'
import { checkoutIdOf, sessionsOf } from '../../kernel/session-kinds.ts'
import { step, stepRejected } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { grantCredits } from '../credits/grant.ts'
import { settleInvoice } from '../invoices/settle-invoice.ts'
import { excessParts } from '../payments/excess-parts.ts'
import { type Misfit, openException } from '../payments/open-exception.ts'
import { linkWallet, namesCustomer, payerOf } from '../payments/payer.ts'
import { type Payer, paymentCommands } from '../payments/payment-commands.ts'
import type { ExistingCheckout, SessionStep } from '../payments/session.ts'
import { startSubscription } from './start-subscription.ts'

/**
 * Does everything that follows from a checkout's recorded events: exceptions for money that does not fit, its payments,
 * the subscription that it sells or the invoice that it pays, the credits that they grant, and last its completion. The
 * id of each step derives from the facts, so any process can run this again at any time and writes only what is
 * missing. While a payment is pending, its due row brings the worker back here after a crash; after its end, the ledger
 * is ingested again. If payments of one `ledger` are all that is new, the costs do not depend on those before.
 */
export const followUp = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  session: SessionStep,
  checkout: ExistingCheckout,
  ledger: LedgerSequence | null = null,
): Promise<E.Either<ExecuteFailure, void>> => {
  const isEnded = ledger === null ? E.right(false) : await hasEnded(services, checkout)
  if (E.isLeft(isEnded)) return isEnded
  const known = isEnded.right ? [] : misfitsOfEnd(session, checkout)
  for (const misfit of [...misfitsOf(session, checkout, ledger), ...known]) {
    const opened = await openException(services, session, misfit)
    if (E.isLeft(opened)) return opened
  }
  for (const paymentId of ledger === null ? checkout.failedPayments : []) {
    const failed = await bringPayment(services, session, checkout, paymentId, { walletId: null, billingDetails: null })
    if (E.isLeft(failed)) return failed
  }
  if (checkout.status === 'enrolled') return beginTrial(services, session, checkout)
  if (checkout.paymentId === null) return E.right(undefined)
  const payer = await payerOf(services, session, checkout)
  if (E.isLeft(payer)) return payer
  const { paymentId } = checkout
  const brought = await bringPayment(services, session, checkout, paymentId, payer.right)
  if (E.isLeft(brought)) return brought
  if (checkout.status !== 'settled') return E.right(undefined)
  const payment = await stateOf(services.store)(Payment, paymentId)
  if (E.isLeft(payment)) return payment
  const { invoice } = checkout.details
  const settled =
    invoice === undefined
      ? await startSubscription(services, session, checkout)
      : await settleInvoice(services, session, invoice, paymentId, payment.right)
  if (E.isLeft(settled)) return settled
  const granted =
    settled.right === 'unapplied' ? E.right(undefined) : await grantCredits(services, paymentId, payment.right)
  return E.isLeft(granted) ? granted : completeCheckout(services, session, paymentId)
}

/** Begins a trial: links its wallet to a customer whom the merchant has named, and starts its subscription. */
const beginTrial = async (
  services: Pick<Services, 'store'>,
  session: SessionStep,
  checkout: Extract<ExistingCheckout, { readonly status: 'enrolled' }>,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { customerId, enrolment } = checkout
  if (customerId === null) throw new Error(`${session.sessionId} began a trial without a customer`)
  if (namesCustomer(checkout)) {
    const linked = await linkWallet(services, session, enrolment.subscriptionId, customerId, enrolment)
    if (E.isLeft(linked)) return linked
  }
  const started = await startSubscription(services, session, checkout)
  return E.isLeft(started) ? started : completeCheckout(services, session, null)
}

/** Whether the payment has ended, which comes after the exceptions of what did not fit at the session's end. */
const hasEnded = async (
  { store }: Pick<Services, 'store'>,
  { paymentId }: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  if (paymentId === null) return E.right(false)
  const payment = await rememberedPayments(store).read(paymentId)
  if (E.isLeft(payment)) return payment
  const { status } = payment.right.state
  return E.right(status === 'confirmed' || status === 'failed')
}

/** The money that arrived under this checkout's name, in one ledger if it is given, and was never a part of its price. */
const misfitsOf = (
  { sessionId }: SessionStep,
  checkout: ExistingCheckout,
  ledger: LedgerSequence | null,
): ReadonlyArray<Misfit> => {
  const checkoutId = checkoutIdOf(sessionId, checkout.details)
  const { setAside, paymentId } = checkout
  const now = ledger === null ? setAside : setAside.filter(({ credit }) => credit.ledger === ledger)
  return now.map(({ credit, reason }) => ({ kind: reason, incoming: credit, checkoutId, paymentId }))
}

/** The money that the session's end has left: all of it if it failed, or the excess. */
const misfitsOfEnd = ({ sessionId }: SessionStep, checkout: ExistingCheckout): ReadonlyArray<Misfit> => {
  const checkoutId = checkoutIdOf(sessionId, checkout.details)
  switch (checkout.status) {
    case 'open':
    case 'enrolled':
    case 'expired':
      return []
    case 'failed': {
      const { accepted, paymentId } = checkout
      return accepted.map((incoming) => ({ kind: 'underpaid', incoming, checkoutId, paymentId }))
    }
    case 'settled':
    case 'completed': {
      if (checkout.settlement === null || checkout.settlement.excess === 0n) return []
      const { excess, paymentId } = checkout.settlement
      const parts = excessParts(checkout.accepted, excess)
      return parts.map((part) => ({ kind: 'overpaid', ...part, checkoutId, paymentId }))
    }
  }
}

const bringPayment = async (
  { store }: Pick<Services, 'store'>,
  session: SessionStep,
  checkout: ExistingCheckout,
  paymentId: PaymentId,
  payer: Payer,
): Promise<E.Either<ExecuteFailure, void>> => {
  // One step for each state of the checkout that matters to a payment.
  const facts = `${checkout.status} ${checkout.transactions.length} ${checkout.accepted.length} ${checkout.failedPayments.length}`
  const context = stepContextOf(session, paymentId, `payment ${facts}`, session.at)
  const brought = await rememberedPayments(store).decide(paymentId, context, (payment) =>
    allOf(
      Payment.decider,
      paymentCommands(session.sessionId, checkout, paymentId, payment, payer, session.at),
    )(payment),
  )
  if (E.isLeft(brought)) return brought
  const rejected = (rejection: { readonly _tag: string }) => stepRejected([Payment, paymentId], rejection)
  return E.bimap(rejected, () => undefined)(brought.right)
}

const completeCheckout = async (
  { store }: Pick<Services, 'store'>,
  session: SessionStep,
  paymentId: PaymentId | null,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { sessionId, at } = session
  const sessions = sessionsOf(sessionId)
  const context = stepContextOf(session, sessionId, 'complete', at)
  const decide = sessions.decider.decide({ type: 'CompleteCheckout', paymentId })
  const completed = await step(store)(sessions, sessionId, context, decide)
  return E.isLeft(completed) ? completed : E.right(undefined)
}

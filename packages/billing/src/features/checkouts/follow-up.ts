import { Payment, type PaymentId, type PaymentState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type Executed, type ExecuteFailure, step } from '../../kernel/execute.ts'
import { checkoutIdOf, sessionsOf } from '../../kernel/session-kinds.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { grantCredits } from '../credits/grant.ts'
import { settleInvoice } from '../invoices/settle-invoice.ts'
import { excessParts } from '../payments/excess-parts.ts'
import { type Misfit, openException } from '../payments/open-exception.ts'
import { linkWallet, payerOf } from '../payments/payer.ts'
import { type Payer, paymentCommands } from '../payments/payment-commands.ts'
import type { ExistingCheckout, SessionStep } from '../payments/session.ts'
import { startSubscription } from './start-subscription.ts'

/**
 * Does everything that follows from what a checkout has recorded: exceptions for what does not fit, its payments, the
 * subscription that it sells or the invoice that it pays, the credits that they grant, and its completion, last. Each step has an id that derives from the facts, so this can be
 * ingested again at any time, by any process, and writes only what is missing. As long as a payment is pending, its row is
 * due and brings the walk back here after a crash; for what comes after its end, the ledger is ingested again.
 */
export const followUp = async (
  services: Services,
  place: SessionStep,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const misfit of misfits(place, checkout)) {
    const opened = await openException(services, place, misfit)
    if (E.isLeft(opened)) return opened
  }
  for (const paymentId of checkout.failedPayments) {
    const failed = await bringPayment(services, place, checkout, paymentId, { walletId: null, billingDetails: null })
    if (E.isLeft(failed)) return failed
  }
  if (checkout.status === 'enrolled') return beginTrial(services, place, checkout)
  if (checkout.paymentId === null) return E.right(undefined)
  const payer = await payerOf(services, place, checkout)
  if (E.isLeft(payer)) return payer
  const { paymentId } = checkout
  const brought = await bringPayment(services, place, checkout, paymentId, payer.right)
  if (E.isLeft(brought)) return brought
  if (checkout.status !== 'settled') return E.right(undefined)
  const { invoice } = checkout.details
  const settled =
    invoice === undefined
      ? await startSubscription(services, place, checkout)
      : await settleInvoice(services, place, invoice, paymentId, brought.right)
  if (E.isLeft(settled)) return settled
  const granted =
    settled.right === 'unapplied' ? E.right(undefined) : await grantCredits(services, paymentId, brought.right)
  return E.isLeft(granted) ? granted : completeCheckout(services, place, paymentId)
}

/** A trial: its wallet is linked to the customer, its subscription started. */
const beginTrial = async (
  services: Services,
  place: SessionStep,
  checkout: Extract<ExistingCheckout, { readonly status: 'enrolled' }>,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { customerId, enrolment } = checkout
  if (customerId === null) throw new Error(`${place.sessionId} has begun a trial of nobody`)
  const linked = await linkWallet(services, place, enrolment.subscriptionId, customerId, enrolment)
  if (E.isLeft(linked)) return linked
  const started = await startSubscription(services, place, checkout)
  return E.isLeft(started) ? started : completeCheckout(services, place, null)
}

/** What of the money that came with this checkout's name is not its price. */
const misfits = ({ sessionId }: SessionStep, checkout: ExistingCheckout): ReadonlyArray<Misfit> => {
  const checkoutId = checkoutIdOf(sessionId, checkout.details)
  const setAside = checkout.setAside.map(({ credit, reason }) => ({
    kind: reason,
    incoming: credit,
    checkoutId,
    paymentId: checkout.paymentId,
  }))
  switch (checkout.status) {
    case 'open':
    case 'enrolled':
    case 'expired':
      return setAside
    case 'failed': {
      const { paymentId } = checkout
      return [
        ...setAside,
        ...checkout.accepted.map((incoming) => ({ kind: 'underpaid' as const, incoming, checkoutId, paymentId })),
      ]
    }
    case 'settled':
    case 'completed': {
      if (checkout.settlement === null || checkout.settlement.excess === 0n) return setAside
      const { excess, paymentId } = checkout.settlement
      const parts = excessParts(checkout.accepted, excess)
      return [...setAside, ...parts.map((part) => ({ kind: 'overpaid' as const, ...part, checkoutId, paymentId }))]
    }
  }
}

const bringPayment = async (
  { store }: Services,
  place: SessionStep,
  checkout: ExistingCheckout,
  paymentId: PaymentId,
  payer: Payer,
): Promise<E.Either<ExecuteFailure, Executed<PaymentState>>> => {
  // One step for each state of the checkout that a payment can tell apart.
  const facts = `${checkout.status} ${checkout.transactions.length} ${checkout.accepted.length} ${checkout.failedPayments.length}`
  const context = stepContext(place, derivedCommandId(place.environment, paymentId), `payment ${facts}`, place.at)
  return step(store)(Payment, paymentId, context, (payment) =>
    allOf(Payment.decider, paymentCommands(place.sessionId, checkout, paymentId, payment, payer, place.at))(payment),
  )
}

const completeCheckout = async (
  { store }: Services,
  place: SessionStep,
  paymentId: PaymentId | null,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { sessionId, environment, at } = place
  const sessions = sessionsOf(sessionId)
  const context = stepContext(place, derivedCommandId(environment, sessionId), 'complete', at)
  const decide = sessions.decider.decide({ type: 'CompleteCheckout', paymentId })
  const completed = await step(store)(sessions, sessionId, context, decide)
  return E.isLeft(completed) ? completed : E.right(undefined)
}

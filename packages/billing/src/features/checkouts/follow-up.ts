import { Payment, type PaymentId, type PaymentState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { checkoutIdOf, sessionsOf } from '../../kernel/session-kinds.ts'
import { step } from '../../kernel/step.ts'
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
 * is ingested again.
 */
export const followUp = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  session: SessionStep,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const misfit of misfits(session, checkout)) {
    const opened = await openException(services, session, misfit)
    if (E.isLeft(opened)) return opened
  }
  for (const paymentId of checkout.failedPayments) {
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
  const { invoice } = checkout.details
  const settled =
    invoice === undefined
      ? await startSubscription(services, session, checkout)
      : await settleInvoice(services, session, invoice, paymentId, brought.right)
  if (E.isLeft(settled)) return settled
  const granted =
    settled.right === 'unapplied' ? E.right(undefined) : await grantCredits(services, paymentId, brought.right)
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

/** The money that arrived under this checkout's name and is not its price. */
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
  { store }: Pick<Services, 'store'>,
  session: SessionStep,
  checkout: ExistingCheckout,
  paymentId: PaymentId,
  payer: Payer,
): Promise<E.Either<ExecuteFailure, Executed<PaymentState>>> => {
  // One step for each state of the checkout that matters to a payment.
  const facts = `${checkout.status} ${checkout.transactions.length} ${checkout.accepted.length} ${checkout.failedPayments.length}`
  const context = stepContextOf(session, paymentId, `payment ${facts}`, session.at)
  return step(store)(Payment, paymentId, context, (payment) =>
    allOf(
      Payment.decider,
      paymentCommands(session.sessionId, checkout, paymentId, payment, payer, session.at),
    )(payment),
  )
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

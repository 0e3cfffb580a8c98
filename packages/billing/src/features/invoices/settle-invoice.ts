import { type CheckoutDetails, InvoiceId, type PaymentId, type PaymentState, Subscription } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import type { SessionStep } from '../payments/session.ts'
import { type Counted, returnIfUnapplied } from './unapplied-payment.ts'

/**
 * Tells a subscription that one of its invoices was paid, by the confirmed payment of its session. A payment that it leaves
 * unapplied, because a charge was faster or the subscription was canceled in the same moment, is returned.
 */
export const settleInvoice = async (
  services: Pick<Services, 'store'>,
  session: SessionStep,
  { subscriptionId }: NonNullable<CheckoutDetails['invoice']>,
  paymentId: PaymentId,
  payment: Executed<PaymentState>,
): Promise<E.Either<ExecuteFailure, Counted>> => {
  const { sessionId: invoiceId } = session
  if (!InvoiceId.is(invoiceId) || payment.state.status !== 'confirmed') throw new Error(`${invoiceId} is not paid`)
  const { amount, transactionHash, ledger, confirmedAt: closedAt } = payment.state.confirmation
  const context = stepContextOf(session, paymentId, 'settle invoice', closedAt)
  const command = { type: 'SettleInvoice' as const, invoiceId, paymentId, amount, transactionHash, ledger, closedAt }
  const decide = Subscription.decider.decide(command)
  const told = await step(services.store)(Subscription, subscriptionId, context, decide)
  return E.isLeft(told) ? told : returnIfUnapplied(services, session, told.right.state, paymentId, payment.state)
}

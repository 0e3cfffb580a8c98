import { Payment, Refund, type RefundCommand, type RefundId, type RefundState, Subscription } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { execute, step } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { returnIfAside } from '../invoices/unapplied-payment.ts'
import { paymentNow } from '../payments/payment-now.ts'
import { giveCreditsAgain } from './bought-credits.ts'

/** How a refund ends. */
export type RefundEnd = Extract<RefundCommand, { readonly type: 'SettleRefund' | 'FailRefund' }>

/** Ends a refund, and does what follows from that. Once, however often it is asked for; told another end, it throws. */
export const endRefund = async (
  services: Services,
  scope: Scope,
  refundId: RefundId,
  end: RefundEnd,
): Promise<E.Either<ProcessFailure, void>> => {
  const at = end.type === 'SettleRefund' ? end.closedAt : end.at
  const context = stepContext(scope, derivedCommandId(scope.environment, refundId), end.type, at)
  const ended = await execute(services.store)(Refund, refundId, context, Refund.decider.decide(end))
  const known = withoutRejection(ended)
  return E.isLeft(known) ? known : followEnd(services, scope, refundId, known.right.state)
}

/**
 * What follows from the end of a refund. Succeeded: its payment is refunded. Failed: credits are given again that were
 * taken back, and then the payment may be refunded by another; what its subscription has set aside goes back by itself.
 */
const followEnd = async (
  services: Services,
  scope: Scope,
  refundId: RefundId,
  refund: RefundState,
): Promise<E.Either<ProcessFailure, void>> => {
  if (refund.status === 'absent' || refund.status === 'pending') return E.right(undefined)
  const found = withoutRejection(await paymentNow(services)(scope, refund.details.paymentId)())
  if (E.isLeft(found)) return found
  const isTakenBack = refund.status === 'failed' && refund.reason !== 'credits_spent'
  const given = isTakenBack
    ? await giveCreditsAgain(services, found.right, refundId, refund.failedAt)
    : E.right(undefined)
  if (E.isLeft(given)) return given

  const at = refund.status === 'succeeded' ? refund.settlement.closedAt : refund.failedAt
  const context = stepContext(scope, derivedCommandId(scope.environment, refundId), 'tell the payment', at)
  const decide = Payment.decider.decide(
    refund.status === 'succeeded' ? { type: 'RecordRefunded', refundId, at } : { type: 'ReleaseRefund', refundId },
  )
  const { paymentId } = found.right
  const told = await step(services.store)(Payment, paymentId, context, decide)
  if (E.isLeft(told)) return told
  const { state } = told.right
  if (refund.status === 'succeeded' || state.status !== 'confirmed') return E.right(undefined)
  const { subscriptionId } = state.details
  if (subscriptionId === null) return E.right(undefined)
  const subscription = await stateOf(services.store)(Subscription, subscriptionId)
  if (E.isLeft(subscription)) return subscription
  return E.map(() => undefined)(await returnIfAside(services, scope, subscription.right.state, paymentId, state))
}

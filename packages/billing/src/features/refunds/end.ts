import {
  type IntentEnd,
  Payment,
  type PaymentCommand,
  Refund,
  type RefundCommand,
  RefundId,
  type RefundState,
  Subscription,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { stateOf } from '../../kernel/load.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { returnIfUnapplied } from '../invoices/unapplied-payment.ts'
import { withdrawApproval } from '../limits/approval-of.ts'
import { paymentFailure } from '../outgoing/payment-failure.ts'
import type { Reporter } from '../outgoing/reporter.ts'
import { restoreCredits } from './bought-credits.ts'

type RefundEnd = Extract<RefundCommand, { readonly type: 'SettleRefund' | 'FailRefund' }>

/** Reports to a refund how its intent ended. */
export const reportToRefund: Reporter =
  (services, scope, { owner }, end, at) =>
  async () => {
    const ended = await endRefund(services, scope, decodeOrThrow(RefundId, owner), refundEnd(end, at))
    return E.isLeft(ended) ? ended : E.right(true)
  }

/** `at` is the time of an end that is in no ledger. */
export const refundEnd = (end: IntentEnd, at: UnixMs): RefundEnd => {
  if (end._tag !== 'settled') return { type: 'FailRefund', ...paymentFailure(end, at) }
  const { transactionHash, ledger, closedAt } = end
  return { type: 'SettleRefund', transactionHash, ledger, closedAt }
}

/** Ends a refund and does what follows from that. Once, however often; a different end than before is a failure. */
export const endRefund = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  refundId: RefundId,
  end: RefundEnd,
): Promise<E.Either<ProcessFailure, void>> => {
  const at = end.type === 'SettleRefund' ? end.closedAt : end.at
  const context = stepContextOf(scope, refundId, end.type, at)
  const ended = await step(services.store)(Refund, refundId, context, Refund.decider.decide(end))
  if (E.isLeft(ended)) return ended
  const withdrawn = await withdrawApproval(services, scope, refundId, at)
  return E.isLeft(withdrawn) ? withdrawn : followEnd(services, scope, refundId, ended.right.state)
}

/**
 * Does what follows from the end of a refund. After a success, its payment is refunded. After a failure, the credits that
 * were taken back are restored (one that was canceled or not approved has taken none); then another refund of the payment is possible, and a
 * payment that its subscription left unapplied is returned.
 */
export const followEnd = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  refundId: RefundId,
  refund: RefundState,
): Promise<E.Either<ProcessFailure, void>> => {
  if (refund.status === 'absent' || refund.status === 'pending') return E.right(undefined)
  const { store } = services
  const { paymentId } = refund.details
  const tellPayment = (command: PaymentCommand, at: UnixMs) => {
    const context = stepContextOf(scope, refundId, 'tell the payment', at)
    return step(store)(Payment, paymentId, context, Payment.decider.decide(command))
  }
  if (refund.status === 'succeeded') {
    const at = refund.settlement.closedAt
    const refunded = await tellPayment({ type: 'RecordRefunded', refundId, at }, at)
    return E.isLeft(refunded) ? refunded : E.right(undefined)
  }
  const { failedAt, reason } = refund
  if (reason !== 'credits_spent' && reason !== 'canceled' && reason !== 'not_approved') {
    const payment = await stateOf(store)(Payment, paymentId)
    if (E.isLeft(payment)) return payment
    const restored = await restoreCredits(services, { paymentId, ...payment.right }, refundId, failedAt)
    if (E.isLeft(restored)) return restored
  }
  const released = await tellPayment({ type: 'ReleaseRefund', refundId }, failedAt)
  if (E.isLeft(released)) return released
  const payment = released.right.state
  if (payment.status !== 'confirmed' || payment.details.subscriptionId === null) return E.right(undefined)
  const subscription = await stateOf(store)(Subscription, payment.details.subscriptionId)
  if (E.isLeft(subscription)) return subscription
  const returned = await returnIfUnapplied(services, scope, subscription.right.state, paymentId, payment)
  return E.isLeft(returned) ? returned : E.right(undefined)
}

import { Payment, type PaymentId, type PaymentState, type SubscriptionState, stroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { excessParts } from '../payments/excess-parts.ts'
import { openException } from '../payments/open-exception.ts'

/** Whether a payment counts for its subscription. */
export type Counted = 'counts' | 'unapplied'

export const isUnapplied = (subscription: SubscriptionState, paymentId: PaymentId): boolean =>
  subscription.status !== 'absent' && subscription.unappliedPayments.includes(paymentId)

/**
 * Returns the money of a confirmed payment that its subscription left unapplied, less what goes back as an excess already;
 * once, however often. A payment that a merchant is refunding is not returned too: its own stream decides which of the two
 * was first.
 */
export const returnIfUnapplied = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  subscription: SubscriptionState,
  paymentId: PaymentId,
  payment: Extract<PaymentState, { readonly status: 'confirmed' }>,
): Promise<E.Either<ExecuteFailure, Counted>> => {
  if (!isUnapplied(subscription, paymentId)) return E.right('counts')
  const { incomingPayments, confirmation, details } = payment
  const context = stepContextOf(scope, paymentId, 'claim return', confirmation.confirmedAt)
  const decide = Payment.decider.decide({ type: 'ClaimReturn' })
  const claimed = await stepUnless(services.store)(['RefundExists'], Payment, paymentId, context, decide)
  if (E.isLeft(claimed)) return claimed
  if (claimed.right === null) return E.right('unapplied')
  const excess = excessParts(incomingPayments, confirmation.excess)
  const mandateId = mandateOf(subscription, paymentId)
  for (const incoming of incomingPayments) {
    const amount = stroops(incoming.amount - (excess.find((part) => part.incoming === incoming)?.amount ?? 0n))
    if (amount === 0n) continue
    const money = { incoming: mandateId === undefined ? incoming : { ...incoming, mandateId }, amount }
    const misfit = { kind: 'paid_twice' as const, ...money, checkoutId: details.checkoutId, paymentId }
    const opened = await openException(services, scope, misfit)
    if (E.isLeft(opened)) return opened
  }
  return E.right('unapplied')
}

/** The mandate that collected a charge: the money goes back to its customer. */
const mandateOf = (subscription: SubscriptionState, paymentId: PaymentId) =>
  subscription.status === 'absent'
    ? undefined
    : subscription.attempts.find((attempt) => attempt.paymentId === paymentId)?.mandateId

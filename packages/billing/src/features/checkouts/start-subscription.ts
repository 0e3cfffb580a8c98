import {
  type CheckoutId,
  type Enrolment,
  type MandateOffer,
  Subscription,
  type SubscriptionCommand,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { checkoutIdOf } from '../../kernel/session-kinds.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { livingCustomer } from '../customers/living.ts'
import { expectedClose } from '../mandates/numbers.ts'
import type { ExistingCheckout, SessionStep } from '../payments/session.ts'

/**
 * Starts the subscription of a checkout with an accepted mandate, once; does nothing if the checkout sells none. If the
 * customer was deleted before the mandate came, the subscription is canceled at once, as the customer's others were.
 */
export const startSubscription = async (
  services: Pick<Services, 'store'>,
  session: SessionStep,
  checkout: ExistingCheckout,
): Promise<E.Either<ExecuteFailure, unknown>> => {
  const { store } = services
  const { enrolment, customerId } = checkout
  if (enrolment === null) return E.right(undefined)
  const context = stepContextOf(session, enrolment.subscriptionId, 'start', enrolment.closedAt)
  const checkoutId = checkoutIdOf(session.sessionId, checkout.details)
  const decide = Subscription.decider.decide(startOf(checkoutId, checkout, enrolment))
  const started = await step(store)(Subscription, enrolment.subscriptionId, context, decide)
  if (E.isLeft(started) || customerId === null) return started
  // A deletion from here on finds the subscription.
  const customer = await livingCustomer(services, session, customerId)
  if (E.isRight(customer)) return E.right(undefined)
  if (customer.left._tag === 'StoreUnavailable') return E.left(customer.left)
  const end = Subscription.decider.decide({ type: 'CancelForDeletedCustomer', at: enrolment.closedAt })
  const endContext = stepContextOf(session, enrolment.subscriptionId, 'end', enrolment.closedAt)
  return step(store)(Subscription, enrolment.subscriptionId, endContext, end)
}

const startOf = (
  checkoutId: CheckoutId,
  { details, customerId, offers, ...checkout }: ExistingCheckout,
  enrolment: Enrolment,
): SubscriptionCommand => {
  const { productId, priceVersion, price, subscription, assetId, metadata } = details
  const offer = offers.find(({ transactionHash }) => transactionHash === enrolment.offered)
  if (offer === undefined || subscription === undefined || price._tag !== 'fiat')
    throw new Error(`${checkoutId} has a mandate, but no offered subscription`)
  if (productId === null || priceVersion === null || customerId === null)
    throw new Error(`${checkoutId} sells a subscription without a product or a customer`)
  const { currency, cents } = price
  const { interval, intervalCount } = subscription
  return {
    type: 'StartSubscription',
    checkoutId,
    customerId,
    terms: { productId, priceVersion, price: { currency, cents }, interval, intervalCount },
    assetId,
    mandate: mandateOf(offer, enrolment),
    trialDays: enrolment.trialDays,
    // Another wallet may have been about to pay in the same session; with a trial, that is not a payment of this
    // subscription.
    firstPaymentId: enrolment.trialDays > 0 ? null : checkout.paymentId,
    metadata,
    startedAt: enrolment.closedAt,
  }
}

/** The mandate as it was offered: a higher approval by the wallet is not relied on. */
const mandateOf = (offer: MandateOffer, { ledger, closedAt }: Enrolment) => {
  const { mandateId, contract, customer, payee, operator, token, cap, interval, intervalCount, firstChargeAt } = offer
  const { allowance, allowanceExpiryLedger } = offer
  const expiresAt = expectedClose(allowanceExpiryLedger, { sequence: ledger, closedAt })
  return {
    ...{ mandateId, contract, customer, payee, operator, token, cap, interval, intervalCount, firstChargeAt },
    approval: { allowance, allowanceExpiryLedger, expiresAt, approvedAt: closedAt },
  }
}

import {
  asText,
  type Count,
  Payment,
  PaymentId,
  type SubscriptionId,
  type SubscriptionState,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { recordIntent, type WantedIntent } from '../outgoing/record-intent.ts'

type Existing = Exclude<SubscriptionState, { readonly status: 'absent' }>
type Attempt = Existing['attempts'][number]

/**
 * The payment of attempt `k` for period `n` of a subscription, the same for every process. `dueAt` is when that attempt fell
 * due, as the subscription says: payments are listed by it.
 */
export const chargePaymentId = (
  { environment }: Pick<Scope, 'environment'>,
  subscriptionId: SubscriptionId,
  { n, k, dueAt }: { readonly n: Count; readonly k: Count; readonly dueAt: UnixMs },
): PaymentId => createdId(PaymentId, dueAt, derivedCommandId(`${environment}/${subscriptionId}`, `charge ${n} ${k}`))

/**
 * Opens the payment of an attempt, and records that its mandate is to be charged: the worker does that, and tells the
 * subscription of the end. A repetition writes nothing.
 */
export const startCharge = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  subscriptionId: SubscriptionId,
  subscription: Existing,
  attempt: Attempt,
): Promise<E.Either<ExecuteFailure, void>> => {
  const opened = await openPayment(services, scope, subscriptionId, subscription, attempt)
  if (E.isLeft(opened)) return opened
  const recorded = await recordIntent(services, scope, wantedBy(subscription, attempt))
  return E.isLeft(recorded) ? recorded : E.right(undefined)
}

export const openPayment = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  subscriptionId: SubscriptionId,
  { details, metadata }: Existing,
  { n, paymentId, productId, price, amount, at, assetId = details.assetId, platformFee }: Attempt,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { checkoutId, customerId } = details
  const context = stepContextOf(scope, paymentId, 'open payment', at)
  const decide = Payment.decider.decide({
    type: 'OpenPayment',
    checkoutId,
    customerId,
    productId,
    subscriptionId,
    assetId,
    currencyCode: price.currency,
    amountCents: price.cents,
    metadata,
    cause: 'renewal',
    period: n,
    amountDue: amount,
    ...(platformFee === undefined ? {} : { platformFee }),
  })
  const opened = await step(store)(Payment, paymentId, context, decide)
  return E.isLeft(opened) ? opened : E.right(undefined)
}

/** The intent to charge the mandate that an attempt was made by. */
export const wantedBy = (
  { details }: Existing,
  { paymentId, mandate, period, amount, at, assetId = details.assetId }: Attempt,
): WantedIntent => {
  const { contract: contractId, mandateId, customer, operator: source } = mandate
  const { start: periodStart, end: periodEnd } = period
  const owner = asText(paymentId)
  const action = { _tag: 'charge' as const, contractId, mandateId, customer, periodStart, periodEnd, amount, assetId }
  return { class: 'charge', owner, source, action: { ...action, reference: owner }, memo: null, at }
}

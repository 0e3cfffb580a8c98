import {
  type Count,
  count,
  feeAt,
  type IncomingPayment,
  Intent,
  type IntentState,
  idTime,
  indexAt,
  Merchant,
  OperationIndex,
  Payment,
  type PaymentId,
  Subscription,
  type SubscriptionId,
  type SubscriptionRecord,
} from '@quittance/domain'
import type { MandateCharged } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { isIn, stateOf } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext, stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { intentIdOf, type WantedIntent } from '../outgoing/record-intent.ts'
import { chargePaymentId, openPayment, wantedBy } from './start-charge.ts'
import { recordConfirmed } from './tell-subscription.ts'

/** How many periods, and attempts for each, are tried to find those of a reference. */
const [mostPeriods, mostAttempts] = [400, 30]

type Recovered = Promise<E.Either<ExecuteFailure, boolean>>

/**
 * Recovers an attempt that the log has lost: its mandate is a subscription's, and its reference derives from the
 * subscription, a period and a number, as only attempts do. Records attempt and payment, and the intent as settled, so that
 * the period is not charged again. False for any other charge.
 */
export const recoverAttempt = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  paymentId: PaymentId,
  incoming: IncomingPayment,
  charged: MandateCharged,
): Recovered => {
  const name = await services.readModels.subscriptionNames.withId(charged.mandate)
  if (name === null || !isIn(scope, name)) return E.right(false)
  const { subscriptionId } = name.row
  const told = await tellConfirmed(services, scope, subscriptionId)
  if (E.isLeft(told)) return told
  const found = await stateOf(services.store)(Subscription, subscriptionId)
  if (E.isLeft(found)) return found
  const { state } = found.right
  if (state.status === 'absent') return E.right(false)
  const { mandate: current } = state.authorization
  // Former versions of the contract gave the same id for the same parties and reference.
  if (current.mandateId === charged.mandate && current.contract !== charged.contract) return E.right(false)
  const attempted = attemptOf(scope, subscriptionId, state, paymentId)
  if (attempted === null) return E.right(false)
  const { mandate: mandateId, periodStart } = charged
  const { amount, closedAt: at } = incoming
  const { transactionHash, ledger } = charged
  const merchant = await stateOf(services.store)(Merchant, scope.merchantId)
  if (E.isLeft(merchant)) return merchant
  const decisions =
    merchant.right.state.status === 'active' ? merchant.right.state.environments[scope.environment].platformFees : []
  const platformFee = feeAt(decisions, at)
  const fee = platformFee === null ? {} : { platformFee }
  // Confirmed at once: a later charge forgives each period before it that nobody has paid for.
  const decide = allOf(Subscription.decider, [
    { type: 'RecoverAttempt', ...attempted, at, periodStart, paymentId, mandateId, amount, ...fee },
    { type: 'ConfirmCharge', paymentId, transactionHash, ledger, closedAt: at },
  ])
  const context = stepContextOf(scope, paymentId, 'recover', at)
  const recorded = await stepUnless(services.store)(['MandateMismatch'], Subscription, subscriptionId, context, decide)
  if (E.isLeft(recorded)) return recorded
  const recovered = recorded.right?.state
  const attempt =
    recovered === undefined || recovered.status === 'absent'
      ? undefined
      : recovered.attempts.find((each) => each.paymentId === paymentId)
  if (recovered === undefined || recovered.status === 'absent' || attempt === undefined) return E.right(false)
  const opened = await openPayment(services, scope, subscriptionId, recovered, attempt)
  if (E.isLeft(opened)) return opened
  const settled = await settleCharge(services, scope, paymentId, charged, wantedBy(recovered, attempt))
  return E.isLeft(settled) ? settled : E.right(true)
}

/** Tells the subscription of charges in earlier ledgers that it takes for under way. */
const tellConfirmed = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  subscriptionId: SubscriptionId,
): Promise<E.Either<ExecuteFailure, void>> => {
  const found = await stateOf(services.store)(Subscription, subscriptionId)
  if (E.isLeft(found)) return found
  const attempts = found.right.state.status === 'absent' ? [] : found.right.state.attempts
  for (const { paymentId, status } of attempts) {
    if (status !== 'under_way') continue
    const payment = await stateOf(services.store)(Payment, paymentId)
    if (E.isLeft(payment)) return payment
    const { state } = payment.right
    if (state.status !== 'confirmed') continue
    const told = await recordConfirmed(services, scope, paymentId, state)
    if (E.isLeft(told)) return told
  }
  return E.right(undefined)
}

/** The period and the number of the attempt that a payment's id derives from; null if it is of another origin. */
const attemptOf = (
  scope: Scope,
  subscriptionId: SubscriptionId,
  { nextN, anchor, terms }: SubscriptionRecord,
  paymentId: PaymentId,
): { readonly n: Count; readonly k: Count } | null => {
  const dueAt = idTime(paymentId)
  if (dueAt === null) return null
  const periods = Array.from({ length: mostPeriods }, (_, index) => Math.max(1, nextN - 1) + index)
  // A charge after a long rest forgives the periods before it, however many: it is for the one that held its moment.
  for (const n of [indexAt(anchor, terms, dueAt), ...periods])
    for (let k = 0; k < mostAttempts; k++) {
      const attempt = { n: count(n), k: count(k) }
      if (chargePaymentId(scope, subscriptionId, { ...attempt, dueAt }) === paymentId) return attempt
    }
  return null
}

/**
 * Settles the intent of a charge that a closed ledger holds in a transaction that the log does not know, whatever the log
 * says of the intent: it is not sent again. `wanted` is recorded where the log has lost it.
 */
export const settleCharge = async (
  { store, readModels }: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  paymentId: PaymentId,
  { transactionHash, innerHash, ledger, closedAt, credit }: MandateCharged,
  wanted: WantedIntent | null,
): Promise<E.Either<ExecuteFailure, unknown>> => {
  const attachedTo = innerHash ?? transactionHash
  const known = await readModels.ledgerTransactions.withId(attachedTo)
  if (known !== null && known.row.operations === undefined) return E.right(undefined)
  const operationIndex = decodeOrThrow(OperationIndex, Math.min(credit?.ordinal ?? 0, 99))
  const place = { attachedTo, transactionHash, operationIndex, ledger, closedAt }
  const settling = { type: 'RecoverIntent' as const, ...place }
  const decide = (state: IntentState) => {
    if (state.status !== 'absent' || wanted === null) return Intent.decider.decide(settling)(state)
    const { at: _, ...details } = wanted
    return allOf(Intent.decider, [{ type: 'RecordIntent', ...details }, settling])(state)
  }
  const id = intentIdOf(scope, paymentId)
  const context = stepContext(scope, `${scope.environment}/${attachedTo}`, `recover ${id}`, closedAt)
  return stepUnless(store)(['IntentHasEnded'], Intent, id, context, decide)
}

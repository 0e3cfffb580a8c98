import { chargeDueAt, type NewQuote, type NextCharge, type SubscriptionRecord, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { networkOf } from '../../services/services.ts'
import { retryJitter } from '../charges/retry-jitter.ts'
import { chargePaymentId } from '../charges/start-charge.ts'
import type { CurrentSubscription, DueWork, StepTaken } from './due-work.ts'
import { preflight } from './preflight.ts'
import { type PriceFailure, priceAt } from './price.ts'
import { recordStep } from './record-step.ts'

/** Prices a charge at the newest ledger's close time and attempts it. Without a rate the charge waits. */
export const attemptCharge = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  { n, k, period, why }: NextCharge,
): StepTaken => {
  const { ingested } = work
  const { scope, id, state } = current
  const at = ingested.closedAt
  const quoted = await quoteNow(work, current)
  if (E.isLeft(quoted)) return waits(work, current, n, quoted.left)
  const { amount, rates } = quoted.right
  const dueAt = unixMs(Math.max(period.start, chargeDueAt(state) ?? at))
  const paymentId = chargePaymentId(scope, id, { n, k, dueAt })
  const { price } = current.state.terms
  const attempt = { n, k, periodStart: period.start, why, paymentId, price, amount, rates, at }
  return recordStep(work, current, 'attempt')({ type: 'AttemptCharge', ...attempt })
}

/**
 * Charges again once the ledger shows that the cause of a hard failure is cured, even if the balance is too low now.
 * Otherwise looks again later.
 */
export const lookAtCause = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  { n }: NextCharge,
): StepTaken => {
  const { services, ingested } = work
  const at = ingested.closedAt
  const record = recordStep(work, current, 'look')
  const jitter = retryJitter(services, current.cause)
  const network = networkOf(services, current.scope.environment)
  if (E.isLeft(network)) return network
  const quoted = await quoteNow(work, current)
  if (E.isLeft(quoted)) return waits(work, current, n, quoted.left)
  const problem = await preflight(network.right, current.state, quoted.right.amount)
  if (E.isLeft(problem)) return record({ type: 'DelayCharge', n, cause: 'no_node', at, jitter })
  return problem.right === null || problem.right === 'balance_too_low'
    ? record({ type: 'RequestRetry', cause: 'cured', at })
    : record({ type: 'DelayCharge', n, cause: 'cause_stands', at, jitter })
}

const quoteNow = (
  { services, ingested }: DueWork,
  { scope, state }: CurrentSubscription<SubscriptionRecord>,
): Promise<E.Either<PriceFailure, NewQuote>> =>
  priceAt(services, scope, state.terms.price, state.details, ingested.closedAt)

/** Delays the charge if there is no price. Without a store or a network, nothing can be done at all. */
const waits = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  n: NextCharge['n'],
  failure: PriceFailure,
): StepTaken => {
  switch (failure._tag) {
    case 'RateUnavailable':
    case 'AmountTooLarge':
      return recordStep(
        work,
        current,
        'wait',
      )({
        type: 'DelayCharge',
        n,
        cause: 'no_rate',
        at: work.ingested.closedAt,
        jitter: retryJitter(work.services, current.cause),
      })
    case 'MerchantNotReady':
    case 'NetworkNotConfigured':
    case 'StoreUnavailable':
      return E.left(failure)
  }
}

import { chargeDueAt, type NewQuote, type NextCharge, type SubscriptionRecord, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { chargePaymentId } from '../charges/start-charge.ts'
import { networkOf } from '../services.ts'
import { foresee } from './foresee.ts'
import { type PriceFailure, priceAt } from './price.ts'
import { recordStep } from './record-step.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

/** Prices a charge at its own time, and attempts it. Without a rate it waits. */
export const attemptCharge = async (
  carrying: Carrying,
  place: Standing<SubscriptionRecord>,
  { n, k, period, why }: NextCharge,
): Taken => {
  const { walked } = carrying
  const { scope, id, state } = place
  const at = walked.closedAt
  const quoted = await quoteNow(carrying, place)
  if (E.isLeft(quoted)) return waits(carrying, place, n, quoted.left)
  const { amount, rates } = quoted.right
  const dueAt = unixMs(Math.max(period.start, chargeDueAt(state) ?? at))
  const paymentId = chargePaymentId(scope, id, { n, k, dueAt })
  const { price } = place.state.terms
  const attempt = { n, k, periodStart: period.start, why, paymentId, price, amount, rates, at }
  return recordStep(carrying, place, 'attempt')({ type: 'AttemptCharge', ...attempt })
}

/**
 * Charges again where the ledger shows the cause of a hard failure cured, be it that the money is wanting now; else looks
 * again later.
 */
export const lookAtCause = async (
  carrying: Carrying,
  place: Standing<SubscriptionRecord>,
  { n }: NextCharge,
): Taken => {
  const { services, walked } = carrying
  const at = walked.closedAt
  const tell = recordStep(carrying, place, 'look')
  const network = networkOf(services, place.scope.environment)
  if (E.isLeft(network)) return network
  const quoted = await quoteNow(carrying, place)
  if (E.isLeft(quoted)) return waits(carrying, place, n, quoted.left)
  const problem = await foresee(network.right, place.state, quoted.right.amount)()
  if (E.isLeft(problem)) return tell({ type: 'DelayCharge', n, cause: 'no_node', at })
  return problem.right === null || problem.right === 'balance_too_low'
    ? tell({ type: 'RequestRetry', cause: 'cured', at })
    : tell({ type: 'DelayCharge', n, cause: 'cause_stands', at })
}

const quoteNow = (
  { services, walked }: Carrying,
  { scope, state }: Standing<SubscriptionRecord>,
): Promise<E.Either<PriceFailure, NewQuote>> =>
  priceAt(services)(scope, state.terms.price, state.details, walked.closedAt)()

/** A price that cannot be said is nobody's fault; without a store or a network nothing can be done at all. */
const waits = async (
  carrying: Carrying,
  place: Standing<SubscriptionRecord>,
  n: NextCharge['n'],
  failure: PriceFailure,
): Taken => {
  switch (failure._tag) {
    case 'RateUnavailable':
    case 'AmountTooLarge':
      return recordStep(
        carrying,
        place,
        'wait',
      )({ type: 'DelayCharge', n, cause: 'no_rate', at: carrying.walked.closedAt })
    case 'MerchantNotReady':
    case 'NetworkNotConfigured':
    case 'StoreUnavailable':
      return E.left(failure)
  }
}

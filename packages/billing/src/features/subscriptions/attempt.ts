import { chargeDueAt, type NewQuote, type NextCharge, type SubscriptionRecord, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { networkOf } from '../../services/services.ts'
import { chargePaymentId } from '../charges/start-charge.ts'
import { preflight } from './preflight.ts'
import { type PriceFailure, priceAt } from './price.ts'
import { recordStep } from './record-step.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

/** Prices a charge at its own time, and attempts it. Without a rate it waits. */
export const attemptCharge = async (
  carrying: Carrying,
  place: Standing<SubscriptionRecord>,
  { n, k, period, why }: NextCharge,
): Taken => {
  const { ingested } = carrying
  const { scope, id, state } = place
  const at = ingested.closedAt
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
  const { services, ingested } = carrying
  const at = ingested.closedAt
  const tell = recordStep(carrying, place, 'look')
  const network = networkOf(services, place.scope.environment)
  if (E.isLeft(network)) return network
  const quoted = await quoteNow(carrying, place)
  if (E.isLeft(quoted)) return waits(carrying, place, n, quoted.left)
  const problem = await preflight(network.right, place.state, quoted.right.amount)
  if (E.isLeft(problem)) return tell({ type: 'DelayCharge', n, cause: 'no_node', at })
  return problem.right === null || problem.right === 'balance_too_low'
    ? tell({ type: 'RequestRetry', cause: 'cured', at })
    : tell({ type: 'DelayCharge', n, cause: 'cause_stands', at })
}

const quoteNow = (
  { services, ingested }: Carrying,
  { scope, state }: Standing<SubscriptionRecord>,
): Promise<E.Either<PriceFailure, NewQuote>> =>
  priceAt(services, scope, state.terms.price, state.details, ingested.closedAt)

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
      )({ type: 'DelayCharge', n, cause: 'no_rate', at: carrying.ingested.closedAt })
    case 'MerchantNotReady':
    case 'NetworkNotConfigured':
    case 'StoreUnavailable':
      return E.left(failure)
  }
}

import {
  type AgreedRate,
  chargeDueAt,
  feeAt,
  hasFailedUnsettled,
  InvoiceId,
  type NewQuote,
  type NextCharge,
  type SubscriptionRecord,
  type UnsettledCause,
  unixMs,
  unsettledAt,
  withoutRate,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { payableId } from '../../services/reference.ts'
import { networkOf } from '../../services/services.ts'
import { retryJitter } from '../charges/retry-jitter.ts'
import { chargePaymentId } from '../charges/start-charge.ts'
import { openInvoice } from '../invoices/open-invoice.ts'
import type { CurrentSubscription, DueWork, StepTaken } from './due-work.ts'
import { preflight } from './preflight.ts'
import { agreedPrice, type PriceFailure, priceAt } from './price.ts'
import { recordStep } from './record-step.ts'

/**
 * Prices a charge at the newest ledger's close time and attempts it. Without a rate the charge waits; what no attempt could
 * settle for a week follows the merchant's policy.
 */
export const attemptCharge = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  charge: NextCharge,
): StepTaken => {
  if (hasFailedUnsettled(current.state)) return endUnsettled(work, current, charge, 'charge_failed')
  const quoted = await quoteNow(work, current)
  return E.isLeft(quoted)
    ? withoutQuote(work, current, charge, quoted.left)
    : attemptAt(work, current, charge, quoted.right)
}

const attemptAt = (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  { n, k, period, why }: NextCharge,
  priced: Pick<NewQuote, 'amount' | 'rates'> & { readonly agreedRates?: ReadonlyArray<AgreedRate> },
): StepTaken => {
  const { scope, id, state } = current
  const at = work.ingested.closedAt
  const platformFee = feeAt(current.platformFees, at)
  const dueAt = unixMs(Math.max(period.start, chargeDueAt(state) ?? at))
  const paymentId = chargePaymentId(scope, id, { n, k, dueAt })
  const { price } = state.terms
  const { amount, rates, agreedRates } = priced
  const agreed = agreedRates === undefined ? {} : { agreedRates }
  const fee = platformFee === null ? {} : { platformFee }
  const attempt = { n, k, periodStart: period.start, why, paymentId, price, amount, rates, at }
  return recordStep(work, current, 'attempt')({ type: 'AttemptCharge', ...attempt, ...agreed, ...fee })
}

/** Charges at the last agreed rates if the merchant wants that and they fit the mandate; otherwise invoices or pauses. */
const withoutQuote = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  charge: NextCharge,
  failure: PriceFailure,
): StepTaken => {
  const { services, ingested } = work
  const { scope, state, policy } = current
  if (failure._tag !== 'RateUnavailable' && failure._tag !== 'AmountTooLarge')
    return waits(work, current, charge.n, failure)
  const cause = failure._tag === 'RateUnavailable' && failure.reason === 'PegBroken' ? 'peg_broken' : 'no_rate'
  const { mayBeAgreed, isEnded } = withoutRate(state, policy, ingested.closedAt, cause)
  if (mayBeAgreed) {
    const agreed = await agreedPrice(services, scope, state.terms.price, state.details)
    if (E.isLeft(agreed)) return agreed
    if (O.isSome(agreed.right) && agreed.right.value.amount <= state.authorization.mandate.cap) {
      const { amount, rates: agreedRates } = agreed.right.value
      return attemptAt(work, current, charge, { amount, rates: [], agreedRates })
    }
  }
  return isEnded ? endUnsettled(work, current, charge, cause) : waits(work, current, charge.n, failure)
}

/** Invoices what no attempt could settle, or pauses the subscription. The mandate is tried further for an invoice. */
const endUnsettled = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  { n }: NextCharge,
  cause: UnsettledCause,
): StepTaken => {
  const { services, ingested } = work
  const { scope, id, state, policy } = current
  const at = ingested.closedAt
  const named = derivedCommandId(`${scope.environment}/${id}`, `invoice ${n}`)
  const invoiceId = await payableId(services, InvoiceId, unsettledAt(state) ?? at, named)
  if (policy.ratesAfter !== 'pause') {
    const opened = await openInvoice(services, current, { invoiceId, subscriptionId: id, n }, at)
    if (E.isLeft(opened)) return opened
  }
  return recordStep(work, current, 'unsettled')({ type: 'EndUnsettled', at, n, cause, invoiceId, policy })
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
  const jitter = await retryJitter(services, current.cause)
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
        jitter: await retryJitter(work.services, current.cause),
      })
    case 'MerchantNotReady':
    case 'NetworkNotConfigured':
    case 'StoreUnavailable':
      return E.left(failure)
  }
}

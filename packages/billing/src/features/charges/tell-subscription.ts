import {
  AccountId,
  type ChargeAction,
  type IntentEnd,
  LedgerSequence,
  type PaymentId,
  type PaymentState,
  Subscription,
} from '@quittance/domain'
import { type Charged, type LedgerUnreachable, readMandates } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { failureCause } from '../../resources/failure-cause.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { type Counted, returnIfUnapplied } from '../invoices/unapplied-payment.ts'
import { problemWith } from '../outgoing/check-destination.ts'
import { retryJitter } from './retry-jitter.ts'

/** Token contracts number their own errors up to here. */
const lastTokenNumber = 15

type Ended<Status> = Extract<PaymentState, { readonly status: Status }>

const subscriptionOf = ({ details }: Ended<'confirmed' | 'failed'>) => {
  if (details.subscriptionId === null) throw new Error('a renewal is for no subscription')
  return details.subscriptionId
}

/**
 * Tells a subscription that a closed ledger holds a charge of it. Once, however often. A charge that it leaves unapplied,
 * because the period is paid for or the subscription was canceled, is returned.
 */
export const confirmCharge = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  paymentId: PaymentId,
  payment: Ended<'confirmed'>,
): Promise<E.Either<ProcessFailure, Counted>> => {
  const told = await recordConfirmed(services, scope, paymentId, payment)
  return E.isLeft(told) ? told : returnIfUnapplied(services, scope, told.right.state, paymentId, payment)
}

/** As `confirmCharge`, but returns nothing: that is left to whoever reports the charge's intent. */
export const recordConfirmed = (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  paymentId: PaymentId,
  payment: Ended<'confirmed'>,
) => {
  const { transactionHash, ledger, confirmedAt: closedAt } = payment.confirmation
  const context = stepContextOf(scope, paymentId, 'tell the subscription', closedAt)
  const command = { type: 'ConfirmCharge' as const, paymentId, transactionHash, ledger, closedAt }
  return step(store)(Subscription, subscriptionOf(payment), context, Subscription.decider.decide(command))
}

/**
 * Tells a subscription why a charge of it failed: by the number that the contract gave in the ledger of the charge or of
 * its simulation, whatever the customer has changed since. False while no node can say how the parties stand.
 */
export const failCharge = async (
  services: Pick<Services, 'store' | 'settlementOf' | 'networks' | 'vault'>,
  scope: Scope,
  paymentId: PaymentId,
  payment: Ended<'failed'>,
  action: ChargeAction,
  end: IntentEnd,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { failedAt: at, code } = payment
  const seen = code === null ? E.right(null) : await standingFor(services, scope, action, code, end)
  if (E.isLeft(seen)) return E.right(false)
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const context = stepContextOf(scope, paymentId, 'tell the subscription', at)
  const command = {
    type: 'FailCharge' as const,
    paymentId,
    cause: code === null ? ('not_sent' as const) : failureCause(code, seen.right),
    code,
    includedIn: end._tag === 'refused' ? end.ledger : null,
    at,
    policy: settlement.right.policy,
    jitter: await retryJitter(services, paymentId),
  }
  const decide = Subscription.decider.decide(command)
  const expected = ['AttemptNotFound', 'ChargeHasSucceeded'] as const
  const told = await stepUnless(services.store)(expected, Subscription, subscriptionOf(payment), context, decide)
  return E.isLeft(told) ? told : E.right(true)
}

/** How customer and payee stand in the ledger, where the token refused: its error may be about either. */
const standingFor = async (
  services: Pick<Services, 'networks'>,
  { environment }: Scope,
  { contractId: contract, mandateId: mandate, customer, assetId, amount }: ChargeAction,
  code: string,
  end: IntentEnd,
): Promise<E.Either<LedgerUnreachable | NetworkNotConfigured, Charged | null>> => {
  if (Number(code) > lastTokenNumber) return E.right(null)
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const { gateway } = network.right
  const found = await readMandates(gateway)([{ contract, mandate, customer, assetId }])()
  if (E.isLeft(found)) return found
  const [standing] = found.right
  const payee = standing?.record?.payee
  if (standing === undefined || !AccountId.is(payee)) return E.right(null)
  const view = await gateway.accountView(payee, [assetId])()
  if (E.isLeft(view)) return view
  const canBeReceived = view.right !== null && problemWith(view.right, { destination: payee, assetId, amount }) === null
  // The ledger keeps an approval exactly until it expires.
  const allowanceExpiryLedger = decodeOrThrow(LedgerSequence, standing.lastExpiry ?? 1)
  const failed = end._tag === 'refused' ? { ledger: end.ledger, amount } : null
  return E.right({ standing, allowanceExpiryLedger, canBeReceived, failed })
}

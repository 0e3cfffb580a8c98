import {
  Checkout,
  type CheckoutId,
  Exception,
  type ExceptionDetails,
  type ExceptionId,
  type IncomingPayment,
  isSameIncomingPayment,
  type PaymentId,
  type SetAsideReason,
  type UnixMs,
} from '@quittance/domain'
import { type CheckoutRow, checkouts, type Found, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { execute, fold } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { followUp } from '../checkouts/follow-up.ts'
import { judged } from '../checkouts/judged.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { existingCheckout } from '../payments/session.ts'

/** The checkout would set the money aside, or has. */
export type CreditDoesNotFit = { readonly _tag: 'CreditDoesNotFit'; readonly reason: SetAsideReason }

/** Money of an exception that is to count for a checkout. `paymentId` is used if no payment of it is open. */
export type Application = {
  readonly id: ExceptionId
  readonly details: ExceptionDetails
  readonly checkoutId: CheckoutId
  readonly checkout: Found<CheckoutRow>
  readonly paymentId: PaymentId
}

/** The checkout of this merchant, in this environment. */
export const checkoutFor =
  ({ store }: Services) =>
  (scope: Scope, checkoutId: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound, Found<CheckoutRow>> =>
    pipe(
      retrieveLater(store)(checkouts, checkoutId, scope),
      TE.chainEitherKW(orNotFound<CheckoutNotFound>({ _tag: 'CheckoutNotFound' })),
    )

/** Whether the checkout, as it is now, would count the money. Writes nothing. */
export const checkApplication = async (
  services: Services,
  application: Application,
): Promise<E.Either<ProcessFailure | CreditDoesNotFit, void>> => {
  const { checkout, checkoutId, paymentId } = application
  const stream = await services.store.readStream(`${Checkout.category}-${checkoutId}`)()
  if (E.isLeft(stream)) return stream
  const [state, credit] = [fold(Checkout, stream.right.events), creditOf(application)]
  const outcome = await judged(services, checkout, credit.closedAt, services.clock.now(), async (requote) =>
    Checkout.decider.decide({ type: 'AcceptCredit', credit, paymentId, requote })(state),
  )
  if (E.isLeft(outcome)) return outcome
  const decision = withoutRejection(outcome.right)
  if (E.isLeft(decision)) return decision
  const after = decision.right.reduce(Checkout.decider.evolve, state)
  const aside = existingCheckout(after, checkoutId).setAside.find((each) => isSameIncomingPayment(each.credit, credit))
  if (aside !== undefined) return E.left({ _tag: 'CreditDoesNotFit', reason: aside.reason })
  // A part of a price that failed in the end came for this very checkout: it counts there no second time.
  const isKnown = decision.right.length === 0
  return isKnown ? E.left({ _tag: 'CreditDoesNotFit', reason: 'after_failure' }) : E.right(undefined)
}

/**
 * Carries an application that has started to its end, from wherever it stands: the checkout takes the money as if it had
 * come with its name, all that follows from it is done, and the exception is resolved, last. What has come to fit no more
 * since it was asked is another exception then. Can be ingested again at any time, by any process, and writes only what is
 * missing.
 */
export const resumeApplication = async (
  services: Services,
  scope: Scope,
  application: Application,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const { id, checkout, checkoutId, paymentId } = application
  const credit = creditOf(application)
  const cause = derivedCommandId(scope.environment, paymentId)
  const context = stepContext(scope, cause, 'apply', credit.closedAt)
  const outcome = await judged(services, checkout, credit.closedAt, services.clock.now(), (requote) =>
    execute(services.store)(
      Checkout,
      checkoutId,
      context,
      Checkout.decider.decide({ type: 'AcceptCredit', credit, paymentId, requote }),
    ),
  )
  if (E.isLeft(outcome)) return outcome
  const applied = withoutRejection(outcome.right)
  if (E.isLeft(applied)) return applied
  const place = {
    merchantId: scope.merchantId,
    environment: scope.environment,
    sessionId: checkoutId,
    at: credit.closedAt,
  }
  const followed = await followUp(services, place, existingCheckout(applied.right.state, checkoutId))
  if (E.isLeft(followed)) return followed
  const decide = Exception.decider.decide({ type: 'SettleApplication', checkoutId, at })
  const told = await execute(services.store)(Exception, id, stepContext(scope, cause, 'settle', at), decide)
  return E.map(() => undefined)(withoutRejection(told))
}

/** The whole of the credit that the exception is about. */
const creditOf = ({ id, details }: Application): IncomingPayment => {
  const { transactionHash, operationIndex, ledger, closedAt, from, amount, assetId, ordinal, origin } = details
  return {
    ...{ transactionHash, operationIndex, ledger, closedAt, from, amount, assetId },
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(origin === undefined ? {} : { origin }),
    exceptionId: id,
  }
}

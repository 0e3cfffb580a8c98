import {
  AccountId,
  Checkout,
  CheckoutId,
  type IncomingPayment,
  offerOf,
  PaymentId,
  type SeenMandate,
  SubscriptionId,
} from '@quittance/domain'
import type { MandateFact } from '@quittance/ledger'
import { type CheckoutRow, type Found, checkouts as model, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { ensureNotSubscribed } from '../features/customers/living-subscriptions.ts'
import { giveTrialBack, type Trial, takeTrial, trialOf } from '../features/mandates/trials.ts'
import { openException, openedForNoSession } from '../features/payments/open-exception.ts'
import { type ExistingCheckout, existingCheckout } from '../features/payments/session.ts'
import { createdId } from '../kernel/derive.ts'
import { fold } from '../kernel/fold.ts'
import { isIn, retrieveAnywhere, type StoreUnavailable } from '../kernel/load.ts'
import { step } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { sessionNamed } from '../services/payable-named.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'

export type CreatedMandate = Extract<MandateFact, { readonly _tag: 'MandateCreated' }>

/**
 * Places a mandate to a merchant's account with the incoming payment of its first amount, in the checkout that its
 * reference names. Without such a checkout, the money is an exception. Repeating this writes nothing twice.
 */
export const receiveMandate = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault'>,
  scope: Scope,
  created: CreatedMandate,
  credit: IncomingPayment | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const named = await checkoutOf(services, scope, created)
  if (E.isLeft(named)) return named
  const isLate = credit !== null && (await openedForNoSession(services.readModels, scope, credit)).length > 0
  if (O.isSome(named.right) && !isLate) return enrol(services, scope, named.right.value, created, credit)
  if (credit === null) return E.right(undefined)
  return openException(services, scope, { kind: 'unmatched', incoming: credit, checkoutId: null, paymentId: null })
}

/** The checkout that the mandate's reference names, if it is paid to this account. */
const checkoutOf = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  { record: { reference, payee } }: CreatedMandate,
): Promise<E.Either<StoreUnavailable, O.Option<Found<CheckoutRow>>>> => {
  const named = await sessionNamed(services, reference)
  if (E.isLeft(named)) return named
  if (!CheckoutId.is(named.right)) return E.right(O.none)
  const isPaidHere = (found: Found<CheckoutRow>) => isIn(scope, found) && found.row.details.destination === payee
  return pipe(await retrieveAnywhere(services.store)(model, named.right), E.map(O.filter(isPaidHere)))
}

const enrol = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault'>,
  scope: Scope,
  { id }: Found<CheckoutRow>,
  created: CreatedMandate,
  credit: IncomingPayment | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const { store } = services
  if (!CheckoutId.is(id)) throw new Error(`${id} is no checkout`)
  const { closedAt } = created
  const stream = await store.readStream(`${Checkout.category}-${id}`)()
  if (E.isLeft(stream)) return stream
  const before = existingCheckout(fold(Checkout, stream.right.events), id)
  const mandate = seenIn(created)
  const cause = `${scope.environment}/${created.transactionHash}/${created.contract}/${created.mandate}`
  const trial = trialBy(id, before, mandate)
  const isTrialFree = trial === null ? E.right(true) : await takeTrial(services, scope, trial, cause, closedAt)
  if (E.isLeft(isTrialFree)) return isTrialFree
  const isSubscribed = await isSecond(services, scope, id, before, mandate)
  if (E.isLeft(isSubscribed)) return isSubscribed
  const context = stepContext(scope, cause, 'enrol', closedAt)
  const paymentId = createdId(PaymentId, closedAt, context.commandId)
  const subscriptionId = createdId(SubscriptionId, closedAt, context.commandId)
  const command = { type: 'AcceptEnrolment' as const, mandate, credit, paymentId, subscriptionId }
  const known = { isTrialFree: isTrialFree.right, isSubscribed: isSubscribed.right }
  const decide = Checkout.decider.decide({ ...command, ...known })
  const accepted = await step(store)(Checkout, id, context, decide)
  if (E.isLeft(accepted)) return accepted
  const { state } = accepted.right
  const place = { merchantId: scope.merchantId, environment: scope.environment, sessionId: id, at: closedAt }
  const followed = await followUp(services, place, existingCheckout(state, id))
  if (E.isLeft(followed) || trial === null || existingCheckout(state, id).enrolment !== null) return followed
  return giveTrialBack(services, scope, trial, cause, closedAt)
}

/** The trial of a mandate's offer, unless another mandate of this session has used it. */
const trialBy = (id: CheckoutId, checkout: ExistingCheckout, mandate: SeenMandate): Trial | null => {
  const offer = offerOf(checkout, mandate)
  return offer === undefined || offer.trialDays === 0 || checkout.enrolment !== null
    ? null
    : trialOf(id, checkout, offer.customer)
}

/**
 * Whether the customer has a subscription of the product, which allows only one. Ledgers are ingested in order, so of two
 * mandates the first has begun its subscription by now.
 */
const isSecond = async (
  services: Pick<Services, 'readModels' | 'caughtUp'>,
  scope: Scope,
  checkoutId: CheckoutId,
  { customerId, details: { productId } }: ExistingCheckout,
  { customer, closedAt }: SeenMandate,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  if (customerId === null || productId === null || !AccountId.is(customer)) return E.right(false)
  const wanted = { customerId, productId, checkoutId, wallet: customer }
  const free = await ensureNotSubscribed(services, scope, wanted, closedAt)
  if (E.isRight(free)) return E.right(false)
  return free.left._tag === 'AlreadySubscribed' ? E.right(true) : E.left(free.left)
}

const seenIn = ({ mandate, contract, record, ...created }: CreatedMandate): SeenMandate => {
  const { customer, payee, operator, token, cap, firstChargeAt, endsAt } = record
  const { allowance, allowanceExpiryLedger, firstAmount, transactionHash, ledger, closedAt } = created
  return {
    ...{ mandateId: mandate, contract, customer, payee, operator, token, cap, firstChargeAt, endsAt },
    ...{ interval: record.intervalUnit, intervalCount: record.intervalCount, firstAmount },
    ...{ allowance, allowanceExpiryLedger, transactionHash, ledger, closedAt },
  }
}

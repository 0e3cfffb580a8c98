import {
  Checkout,
  type CheckoutId,
  type CheckoutState,
  Exception,
  type ExceptionDetails,
  type ExceptionId,
  type ExceptionState,
  type IncomingPayment,
  isSameIncomingPayment,
  type PaymentId,
  type SetAsideReason,
  type UnixMs,
} from '@quittance/domain'
import { type CheckoutRow, checkouts, type Found, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Executed } from '../../kernel/execute.ts'
import { isIn, rowFrom, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { executeExpecting, step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { followUp } from '../checkouts/follow-up.ts'
import { judgeWithQuote } from '../checkouts/judge-with-quote.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { existingCheckout } from '../payments/session.ts'
import type { ExceptionServices } from './services.ts'

/** The checkout would set the money aside, or has. */
export type CreditDoesNotFit = { readonly _tag: 'CreditDoesNotFit'; readonly reason: SetAsideReason }

type LoadedCheckout = { readonly found: Found<CheckoutRow>; readonly state: CheckoutState }

/** Money of an exception that is to count for a checkout. `paymentId` is used if no payment of it is open. */
export type Application = {
  readonly id: ExceptionId
  readonly details: ExceptionDetails
  readonly checkoutId: CheckoutId
  readonly checkout: LoadedCheckout
  readonly paymentId: PaymentId
}

/** The checkout of this merchant, in this environment. */
export const loadCheckout = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  checkoutId: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, LoadedCheckout>> => {
  const loaded = await stateOf(store)(Checkout, checkoutId)
  if (E.isLeft(loaded)) return loaded
  const row = rowFrom(checkouts, checkoutId, loaded.right.events)
  if (O.isNone(row) || !isIn(scope, row.value)) return E.left({ _tag: 'CheckoutNotFound' })
  return E.right({ found: row.value, state: loaded.right.state })
}

/** Checks that the checkout, as it was loaded, would count the money. Writes nothing. */
export const checkApplication = async (
  services: Pick<Services, 'clock' | 'settlementOf' | 'networks'>,
  application: Application,
): Promise<E.Either<ProcessFailure | CreditDoesNotFit, void>> => {
  const { checkout, checkoutId, paymentId } = application
  const { found, state } = checkout
  const incoming = incomingOf(application)
  const events = await judgeWithQuote(
    services,
    found,
    incoming.closedAt,
    services.clock.now(found.environment),
    async (requote) => {
      const decided = Checkout.decider.decide({ type: 'AcceptCredit', credit: incoming, paymentId, requote })(state)
      if (E.isRight(decided)) return decided
      if (decided.left._tag === 'QuoteNeeded') return E.left(decided.left)
      throw new Error(`${checkoutId} rejects an incoming payment: ${decided.left._tag}`)
    },
  )
  if (E.isLeft(events)) return events
  const { setAside } = existingCheckout(events.right.reduce(Checkout.decider.evolve, state), checkoutId)
  const misfit = setAside.find((each) => isSameIncomingPayment(each.credit, incoming))
  if (misfit !== undefined) return E.left({ _tag: 'CreditDoesNotFit', reason: misfit.reason })
  // An incoming payment that was part of a price for this same checkout, which then failed, does not count there again.
  const isKnown = events.right.length === 0
  return isKnown ? E.left({ _tag: 'CreditDoesNotFit', reason: 'after_failure' }) : E.right(undefined)
}

/**
 * Brings an application that has started to its end, from wherever it stands: the checkout takes the money as if it had
 * come with its name, all that follows from it is done, and the exception is resolved, last. Money that has ceased to fit
 * since the check becomes another exception. Any process can do this again at any time, and writes only what is missing.
 */
export const resumeApplication = async (
  services: ExceptionServices,
  { merchantId, environment }: Scope,
  application: Application,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, Executed<ExceptionState>>> => {
  const { store, clock } = services
  const { id, checkout, checkoutId, paymentId } = application
  const scope = { merchantId, environment }
  const incoming = incomingOf(application)
  const context = stepContextOf(scope, paymentId, 'apply', incoming.closedAt)
  const applied = await judgeWithQuote(
    services,
    checkout.found,
    incoming.closedAt,
    clock.now(environment),
    (requote) => {
      const decide = Checkout.decider.decide({ type: 'AcceptCredit', credit: incoming, paymentId, requote })
      return executeExpecting(store)(['QuoteNeeded'], Checkout, checkoutId, context, decide)
    },
  )
  if (E.isLeft(applied)) return applied
  const session = { ...scope, sessionId: checkoutId, at: incoming.closedAt }
  const followed = await followUp(services, session, existingCheckout(applied.right.state, checkoutId))
  if (E.isLeft(followed)) return followed
  const decide = Exception.decider.decide({ type: 'SettleApplication', checkoutId, at })
  return step(store)(Exception, id, stepContextOf(scope, paymentId, 'settle', at), decide)
}

/** The whole incoming payment that the exception is about. */
const incomingOf = ({ id, details }: Application): IncomingPayment => {
  const { transactionHash, operationIndex, ledger, closedAt, from, amount, assetId, ordinal, origin, sum } = details
  return {
    ...{ transactionHash, operationIndex, ledger, closedAt, from, amount, assetId },
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(origin === undefined ? {} : { origin }),
    ...(sum === undefined ? {} : { sum }),
    exceptionId: id,
  }
}

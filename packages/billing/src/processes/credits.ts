import {
  Checkout,
  CheckoutId,
  type CheckoutState,
  Credit,
  type Environment,
  maximumStroops,
  type NewQuote,
  PaymentId,
  stroops,
  type UnixMs,
} from '@quittance/domain'
import type { Credit as LedgerCredit } from '@quittance/ledger'
import { type CheckoutRow, type Found, checkouts as model, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { type Executed, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { isIn, retrieveAnywhere } from '../load.ts'
import { quoteFor } from '../quotes/quote-for.ts'
import type { Services } from '../services.ts'
import type { AwaitingCredit } from './awaiting-rate.ts'
import { creditName } from './credit-name.ts'
import { openException } from './exceptions.ts'
import { followUp } from './follow-up.ts'
import { existing, type ProcessFailure, stepContext, withoutRejection } from './steps.ts'

/** Not worth returning: below ten times the fee that it would cost, in stroops of the native asset. */
const dustBelow = 1000n

/**
 * Everything that follows from a credit to a merchant's account: it belongs to the checkout that its memo names, or
 * that announced its transaction; otherwise it is an exception. Walking a ledger again repeats this without writing
 * anything twice.
 */
export const receiveCredit =
  (services: Services) =>
  (scope: Scope, received: LedgerCredit): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const credit = decodeOrThrow(Credit, Credit.encode(received))
    const named = await checkoutOf(services, scope, received)
    if (E.isLeft(named)) return named
    if (O.isNone(named.right)) {
      const kind = credit.assetId === 'native' && credit.amount < dustBelow ? 'dust' : 'unmatched'
      return openException(services)(scope, { kind, credit, checkoutId: null, paymentId: null })()
    }
    const checkout = named.right.value
    const checkoutId = decodeOrThrow(CheckoutId, checkout.id)
    const awaiting = { merchantId: scope.merchantId, environment: scope.environment, checkoutId, credit }
    // What comes after a credit that waits for a rate waits behind it: a checkout takes its credits in their order.
    const placed = services.awaitingRate.has(scope.environment, checkoutId)
      ? null
      : await place(services, awaiting, checkout, null)
    if (placed !== null && !isRateMissing(placed)) return placed
    services.awaitingRate.add(awaiting)
    return E.right(undefined)
  }

/**
 * Judges the credits that wait for a rate, each checkout's in their order. By the time that there is a rate again, often
 * nobody can say what it was when the ledger closed; then the first that can be had judges, as it does for who pays late.
 */
export const placeAwaiting =
  (services: Services) =>
  (environment: Environment): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const waiting = new Set<CheckoutId>()
    for (const awaiting of services.awaitingRate.of(environment)) {
      const { checkoutId } = awaiting
      if (waiting.has(checkoutId)) continue
      const found = await retrieveAnywhere(services.store)(model, checkoutId)()
      if (E.isLeft(found)) return found
      if (O.isNone(found.right)) throw new Error(`a credit waits for ${checkoutId}, which does not exist`)
      const placed = await place(services, awaiting, found.right.value, services.clock.now())
      if (E.isRight(placed)) services.awaitingRate.remove(awaiting)
      else if (isRateMissing(placed)) waiting.add(checkoutId)
      else return placed
    }
    return E.right(undefined)
  }

const isRateMissing = (outcome: E.Either<ProcessFailure, unknown>): boolean =>
  E.isLeft(outcome) && outcome.left._tag === 'RateUnavailable'

const place = async (
  services: Services,
  { merchantId, environment, checkoutId, credit }: AwaitingCredit,
  checkout: Found<CheckoutRow>,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const accepted = await accept(services, scope, checkout, credit, otherwise)
  if (E.isLeft(accepted)) return accepted
  return followUp(services)({ ...scope, checkoutId, at: credit.closedAt }, existing(accepted.right.state, checkoutId))()
}

/**
 * The checkout that is paid to this account by this name: by the memo first; where it names none, by the transaction's
 * hash, under which a checkout has announced it. Not every transaction can carry a memo. What an account exchanges of
 * its own, or had only put aside, pays for nothing.
 */
const checkoutOf = async (
  { store, readModels }: Services,
  scope: Scope,
  { memo, transactionHash, innerHash, destination, from, fromContract }: LedgerCredit,
): Promise<E.Either<ProcessFailure, O.Option<Found<CheckoutRow>>>> => {
  if (from === destination && fromContract === null) return E.right(O.none)
  const isPaidHere = (found: Found<CheckoutRow>) => isIn(scope, found) && found.row.details.destination === destination
  const id = memo._tag === 'text' ? CheckoutId.decode(memo.value) : E.left([])
  if (E.isRight(id)) return pipe(await retrieveAnywhere(store)(model, id.right)(), E.map(O.filter(isPaidHere)))
  const hashes = innerHash === undefined ? [transactionHash] : [transactionHash, innerHash]
  const announced = hashes.flatMap((hash) => readModels.checkouts.withKey(hash))
  return E.right(O.fromNullable(announced.find(isPaidHere)))
}

/** Judged by a new quote where none that was issued can judge it. */
const accept = async (
  services: Services,
  scope: Scope,
  checkout: Found<CheckoutRow>,
  credit: Credit,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, Executed<CheckoutState>>> => {
  const context = stepContext(scope, creditName(scope, credit), 'accept', credit.closedAt)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const attempt = (requote: NewQuote | null) =>
    execute(services.store)(
      Checkout,
      checkout.id,
      context,
      Checkout.decider.decide({ type: 'AcceptCredit', credit, paymentId, requote }),
    )()
  const first = await attempt(null)
  if (E.isRight(first) || first.left._tag !== 'QuoteNeeded') return withoutRejection(first)
  const requote = await quoteOf(services, checkout, first.left.at, otherwise)
  if (E.isRight(requote)) return withoutRejection(await attempt(requote.right))
  return requote.left._tag === 'AmountTooLarge' ? withoutRejection(await attempt(neverCovered)) : requote
}

/** A quote of the ledger's time; where that has no rate, of a later moment, if there is one to fall back on. */
const quoteOf = async (
  services: Services,
  checkout: Found<CheckoutRow>,
  closedAt: UnixMs,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, NewQuote>> => {
  const quote = await quoteFor(services)(checkout, closedAt)()
  return isRateMissing(quote) && otherwise !== null ? quoteFor(services)(checkout, otherwise)() : quote
}

/** Of a price that is more than any account can hold: whatever comes is too little, and holds up nobody else. */
const neverCovered: NewQuote = { amount: stroops(maximumStroops), pegged: false, excessFloor: null, rates: [] }

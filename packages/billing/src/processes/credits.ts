import {
  Checkout,
  CheckoutId,
  type CheckoutState,
  Credit,
  maximumStroops,
  type NewQuote,
  PaymentId,
  stroops,
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
import { creditName, openException } from './exceptions.ts'
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
    const accepted = await accept(services, scope, checkout, credit)
    if (E.isLeft(accepted)) return accepted
    const place = { merchantId: scope.merchantId, environment: scope.environment, checkoutId, at: credit.closedAt }
    return followUp(services)(place, existing(accepted.right.state, checkoutId))()
  }

/**
 * The checkout that is paid to this account by this name: by the memo first; where it names none, by the transaction's
 * hash, under which a checkout has announced it. Not every transaction can carry a memo.
 */
const checkoutOf = async (
  { store, readModels }: Services,
  scope: Scope,
  { memo, transactionHash, innerHash, destination }: LedgerCredit,
): Promise<E.Either<ProcessFailure, O.Option<Found<CheckoutRow>>>> => {
  const isPaidHere = (found: Found<CheckoutRow>) => isIn(scope, found) && found.row.details.destination === destination
  const id = memo._tag === 'text' ? CheckoutId.decode(memo.value) : E.left([])
  if (E.isRight(id)) return pipe(await retrieveAnywhere(store)(model, id.right)(), E.map(O.filter(isPaidHere)))
  const hashes = innerHash === null ? [transactionHash] : [transactionHash, innerHash]
  const announced = hashes.flatMap((hash) => readModels.checkouts.withKey(hash))
  return E.right(O.fromNullable(announced.find(isPaidHere)))
}

/** Judged by a quote of the ledger's own time where no other can judge it. */
const accept = async (
  services: Services,
  scope: Scope,
  checkout: Found<CheckoutRow>,
  credit: Credit,
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
  const requote = await quoteFor(services)(checkout, first.left.at)()
  if (E.isRight(requote)) return withoutRejection(await attempt(requote.right))
  return requote.left._tag === 'AmountTooLarge' ? withoutRejection(await attempt(neverCovered)) : requote
}

/** Of a price that is more than any account can hold: whatever comes is too little, and holds up nobody else. */
const neverCovered: NewQuote = { amount: stroops(maximumStroops), pegged: false, excessFloor: null, rates: [] }

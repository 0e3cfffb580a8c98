import { type CheckoutRejection, maximumStroops, type NewQuote, stroops, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { quoteFor } from '../../services/quote-for.ts'
import type { Services } from '../../services/services.ts'

type QuoteNeeded = Extract<CheckoutRejection, { readonly _tag: 'QuoteNeeded' }>

/**
 * Has a checkout judge an incoming payment by its own quotes. If none of them covers that moment, it is judged by a new
 * quote of the ledger's time `closedAt`; if there is no rate for that, by one of the moment `otherwise`, unless null. Answers
 * the result of the last attempt, or why no quote could be had.
 */
export const judged = async <A>(
  services: Services,
  checkout: Found<CheckoutRow>,
  closedAt: UnixMs,
  otherwise: UnixMs | null,
  attempt: (requote: NewQuote | null) => Promise<E.Either<ExecuteFailure | QuoteNeeded, A>>,
): Promise<E.Either<ProcessFailure, A>> => {
  const first = await attempt(null)
  if (E.isRight(first)) return first
  if (first.left._tag !== 'QuoteNeeded') return E.left(first.left)
  const exact = await quoteFor(services, checkout, closedAt)
  const requote = isRateMissing(exact) && otherwise !== null ? await quoteFor(services, checkout, otherwise) : exact
  if (E.isLeft(requote) && requote.left._tag !== 'AmountTooLarge') return E.left(requote.left)
  const second = await attempt(E.isRight(requote) ? requote.right : neverCovered)
  if (E.isRight(second)) return second
  if (second.left._tag === 'QuoteNeeded')
    throw new Error(`${checkout.id} needs another quote than the one it was given`)
  return E.left(second.left)
}

export const isRateMissing = (outcome: E.Either<{ readonly _tag: string }, unknown>): boolean =>
  E.isLeft(outcome) && outcome.left._tag === 'RateUnavailable'

/** For a price above what any account can hold: every payment is too little for it. */
const neverCovered: NewQuote = { amount: stroops(maximumStroops), pegged: false, excessFloor: null, rates: [] }

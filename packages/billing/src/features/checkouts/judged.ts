import { maximumStroops, type NewQuote, stroops, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { quoteFor } from '../../services/quote-for.ts'
import type { Services } from '../../services/services.ts'

/**
 * Has a checkout judge a credit: by its own quotes, or by a new one of the ledger's time `closedAt` where none that was
 * issued can judge it; where that has no rate, of the moment `otherwise`, if there is one to fall back on. Answers what
 * the last attempt came to; left where no quote could be had.
 */
export const judged = async <L extends { readonly _tag: string }, A>(
  services: Services,
  checkout: Found<CheckoutRow>,
  closedAt: UnixMs,
  otherwise: UnixMs | null,
  attempt: (requote: NewQuote | null) => Promise<E.Either<L, A>>,
): Promise<E.Either<ProcessFailure, E.Either<L, A>>> => {
  const first = await attempt(null)
  if (E.isRight(first) || first.left._tag !== 'QuoteNeeded') return E.right(first)
  const exact = await quoteFor(services, checkout, closedAt)
  const requote = isRateMissing(exact) && otherwise !== null ? await quoteFor(services, checkout, otherwise) : exact
  if (E.isRight(requote)) return E.right(await attempt(requote.right))
  return requote.left._tag === 'AmountTooLarge' ? E.right(await attempt(neverCovered)) : requote
}

export const isRateMissing = (outcome: E.Either<{ readonly _tag: string }, unknown>): boolean =>
  E.isLeft(outcome) && outcome.left._tag === 'RateUnavailable'

/** Of a price that is more than any account can hold: whatever comes is too little, and holds up nobody else. */
const neverCovered: NewQuote = { amount: stroops(maximumStroops), pegged: false, excessFloor: null, rates: [] }

import { type CheckoutRejection, maximumStroops, type NewQuote, stroops, type UnixMs } from '@quittance/domain'
import type { Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Priced, quoteFor } from '../../services/quote-for.ts'
import type { Services } from '../../services/services.ts'

type QuoteNeeded = Extract<CheckoutRejection, { readonly _tag: 'QuoteNeeded' }>

/**
 * Lets a checkout judge an incoming payment: by its own quotes, or, if none of them applies, by a new quote for the
 * ledger's close time. If there is no rate for that time, the new quote is for the moment `otherwise`, unless that is
 * null. Returns the result of the last attempt; left if there is no quote.
 */
export const judgeWithQuote = async <A>(
  services: Pick<Services, 'settlementOf' | 'networks'>,
  checkout: Found<Priced>,
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

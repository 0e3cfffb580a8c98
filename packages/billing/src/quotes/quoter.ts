import type { AcceptedAsset, CheckoutPrice, NewQuote, UnixMs } from '@quittance/domain'
import {
  type AmountTooLarge,
  MAJOR_CURRENCIES,
  pricedAsset,
  quoteAmount,
  quotedPairs,
  type RateMemory,
  type RateSource,
  type RateUnavailable,
} from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'

export type QuoteFailure = RateUnavailable | AmountTooLarge

/** What a price costs in an asset at a moment. A price that is stated in the asset itself needs no rate. */
export type Quoter = (price: CheckoutPrice, asset: AcceptedAsset, at: UnixMs) => TE.TaskEither<QuoteFailure, NewQuote>

/** Remembers each accepted rate, so that a sudden jump is seen as one. */
export const quoter = (source: RateSource): Quoter => {
  let memory: RateMemory = new Map()
  return (price, { assetId, pegged }, at) => {
    if (price._tag === 'asset') return TE.right({ amount: price.stroops, pegged, excessFloor: null, rates: [] })
    const { currency, cents } = price
    const request = { cents, currency, asset: pricedAsset(assetId, pegged), majors: MAJOR_CURRENCIES }
    return TE.chainEitherKW((observations: Parameters<typeof quoteAmount>[0]['observations']) => {
      const outcome = quoteAmount({ ...request, observations, memory, now: at })
      memory = outcome.memory
      return outcome.quote
    })(source.observe(quotedPairs(request), at))
  }
}

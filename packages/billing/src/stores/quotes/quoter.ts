import type { AcceptedAsset, CheckoutPrice, NewQuote, UnixMs } from '@quittance/domain'
import {
  type AmountTooLarge,
  MAJOR_CURRENCIES,
  type Pricing,
  pricingOf,
  quoteAmount,
  quotedPairs,
  type RateSource,
  type RateUnavailable,
  type RateWatch,
} from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { processMemory, type RateMemories } from './rate-memory.ts'

export type QuoteFailure = RateUnavailable | AmountTooLarge

/** What a price costs in an asset at a moment. A price that is stated in the asset itself needs no rate. */
export type Quoter = (price: CheckoutPrice, asset: AcceptedAsset, at: UnixMs) => TE.TaskEither<QuoteFailure, NewQuote>

/**
 * `majors`: the currencies whose sources must agree within 2 % instead of 5 %. `watch` hears how each quote fared. `pricing`
 * says which assets the sources speak of; none of those that name their peg, unless told otherwise.
 */
export type QuoterOptions = {
  readonly majors?: ReadonlySet<string>
  readonly memory?: RateMemories
  readonly pricing?: Pricing
  readonly watch?: Pick<RateWatch, 'ofLegs'>
}

/** Quotes by what a source observes, and remembers each accepted rate, so that a sudden jump is seen as one. */
export const quoter = (
  source: RateSource,
  { majors = MAJOR_CURRENCIES, memory = processMemory(), pricing = pricingOf(() => false), watch }: QuoterOptions = {},
): Quoter => {
  return (price, asset, at) => {
    if (price._tag === 'asset')
      return TE.right({ amount: price.stroops, pegged: asset.pegged, excessFloor: null, rates: [] })
    const { currency, cents } = price
    const request = { cents, currency, asset: pricing(asset), majors }
    const pairs = quotedPairs(request)
    return pipe(
      pairs.length === 0 ? TE.right([]) : source.observe(pairs, at),
      TE.chainEitherKW((observations) => {
        const outcome = quoteAmount({ ...request, observations, memory: memory.load(pairs), now: at })
        memory.save(outcome.memory)
        watch?.ofLegs(outcome.verdicts, observations, at)
        return outcome.quote
      }),
    )
  }
}

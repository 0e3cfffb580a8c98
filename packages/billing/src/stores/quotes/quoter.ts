import type { AcceptedAsset, CheckoutPrice, FiatPrice, NewQuote, UnixMs } from '@quittance/domain'
import {
  type AgreedQuote,
  type AmountTooLarge,
  agreedQuote,
  MAJOR_CURRENCIES,
  type Pricing,
  pricingOf,
  quoteAmount,
  quotedPairs,
  type RateSource,
  type RateUnavailable,
  type RateWatch,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { processMemory, type RateMemories } from './rate-memory.ts'

export type QuoteFailure = RateUnavailable | AmountTooLarge

/** Quotes a price in an asset at a moment. A price in the asset itself needs no rate. */
export type Quoter = (price: CheckoutPrice, asset: AcceptedAsset, at: UnixMs) => TE.TaskEither<QuoteFailure, NewQuote>

/** How a network prices. */
export type Pricer = {
  readonly quote: Quoter
  /** The amount of a pegged asset by the last rates that sources agreed on, without asking them; none if there is no such. */
  readonly lastAgreed: (price: FiatPrice, asset: AcceptedAsset) => Promise<O.Option<AgreedQuote>>
}

/**
 * `majors`: the currencies whose sources must agree within 2 % instead of 5 %. `watch` is told the verdict on each rate.
 * `pricing` says which assets the sources quote; by default none of those that name their peg.
 */
export type QuoterOptions = {
  readonly majors?: ReadonlySet<string>
  readonly memory?: RateMemories
  readonly pricing?: Pricing
  readonly watch?: Pick<RateWatch, 'ofLegs'>
}

/** Quotes by the rates of a source, and remembers each accepted rate, to notice sudden jumps. */
export const quoter = (
  source: RateSource,
  { majors = MAJOR_CURRENCIES, memory = processMemory(), pricing = pricingOf(() => false), watch }: QuoterOptions = {},
): Pricer => ({
  quote: (price, asset, at) => async () => {
    if (price._tag === 'asset')
      return E.right({ amount: price.stroops, pegged: asset.pegged, excessFloor: null, rates: [] })
    const { currency, cents } = price
    const request = { cents, currency, asset: pricing(asset), majors }
    const pairs = quotedPairs(request)
    const observed = pairs.length === 0 ? E.right([]) : await source.observe(pairs, at)()
    if (E.isLeft(observed)) return observed
    const observations = observed.right
    const outcome = quoteAmount({ ...request, observations, memory: await memory.load(pairs), now: at })
    await memory.save(outcome.memory)
    watch?.ofLegs(outcome.verdicts, observations, at)
    return outcome.quote
  },
  lastAgreed: async (price, asset) => {
    const request = { ...price, asset: pricing(asset), majors }
    return agreedQuote({ ...request, memory: await memory.load(quotedPairs(request)) })
  },
})

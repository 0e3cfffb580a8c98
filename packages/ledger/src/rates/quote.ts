import {
  type AgreedRate,
  asText,
  type Cents,
  type CurrencyCode,
  maximumStroops,
  type NewQuote,
  type Stroops,
  stroops,
  type UnixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { assetLeg, fiatLeg, type Leg, type LegRate } from './leg.ts'
import { judgeLegs, type LegVerdict, type RateMemory } from './legs.ts'
import { decimalFromRational, isFurtherThan, type Rational, rational, roundedDown, roundedUp } from './rational.ts'
import type { PricedAsset, RateObservation, RateUnavailable } from './source.ts'

const PEG_PERCENT = 1n
const STROOPS_PER_UNIT = 10_000_000n

/** Currencies with deep markets, whose sources must agree within 2 % instead of 5 %. */
export const MAJOR_CURRENCIES: ReadonlySet<string> = new Set(
  'AUD CAD CHF CNY DKK EUR GBP HKD JPY NOK NZD SEK SGD'.split(' '),
)

export type QuoteRequest = {
  readonly cents: Cents
  readonly currency: CurrencyCode
  readonly asset: PricedAsset
  readonly observations: ReadonlyArray<RateObservation>
  readonly memory: RateMemory
  readonly majors: ReadonlySet<string>
  readonly now: UnixMs
}

/** What is to be priced, and the currencies that sources must agree on closely. */
type Priceable = Pick<QuoteRequest, 'cents' | 'currency' | 'asset' | 'majors'>

/** More than an account can hold (2^63 - 1 stroops). */
export type AmountTooLarge = { readonly _tag: 'AmountTooLarge' }

/** The quote, if any, and the memory to keep in either case: refused quotes confirm a jump too. */
export type QuoteOutcome = {
  readonly quote: E.Either<RateUnavailable | AmountTooLarge, NewQuote>
  readonly memory: RateMemory
  /** The verdict on each leg, for the watch over the sources. */
  readonly verdicts: ReadonlyArray<LegVerdict>
}

const isAtItsPar = ({ asset, currency }: Pick<QuoteRequest, 'currency' | 'asset'>): boolean =>
  asset.isAtPar && asset.peg === currency

/**
 * The fiat legs first, for the price and for the asset's peg; then the asset's own, unless it is at par. USD needs no
 * leg, and neither does a price in the currency that the asset is at par with.
 */
const legsOf = ({
  currency,
  asset,
  majors,
}: Pick<QuoteRequest, 'currency' | 'asset' | 'majors'>): ReadonlyArray<Leg> => {
  if (isAtItsPar({ asset, currency })) return []
  const currencies = new Set<string>([currency, asset.peg ?? 'USD'])
  currencies.delete('USD')
  const fiatLegs = [...currencies].map((each) => fiatLeg(each, majors))
  return asset.isAtPar ? fiatLegs : [...fiatLegs, assetLeg(asset)]
}

/** The pairs that a quote needs observations of. */
export const quotedPairs = (request: Pick<QuoteRequest, 'currency' | 'asset' | 'majors'>): ReadonlyArray<string> =>
  legsOf(request).map(({ pair }) => pair)

type KnownRate = Pick<LegRate, 'rate' | 'observations'>
type LegRates = ReadonlyMap<string, KnownRate>

/** Units of a currency for one USD. */
const perUsd = (currency: string, rates: LegRates, request: Priceable): Rational =>
  currency === 'USD' ? rational(1n) : rateOf(fiatLeg(currency, request.majors), rates)

const rateOf = ({ pair }: Leg, rates: LegRates): Rational => {
  const found = rates.get(pair)
  if (found === undefined) throw new Error(`${pair} was not among the judged legs`)
  return found.rate
}

/** USD for one unit of the asset. */
const usdPerUnit = (request: Priceable, rates: LegRates): E.Either<RateUnavailable, Rational> => {
  const { asset } = request
  const usdPerPeg = rational(1n).div(perUsd(asset.peg ?? 'USD', rates, request))
  if (asset.isAtPar) return E.right(usdPerPeg)
  const leg = assetLeg(asset)
  const observed = rateOf(leg, rates)
  return asset.peg !== null && isFurtherThan(PEG_PERCENT, observed.div(usdPerPeg), rational(1n))
    ? E.left({ _tag: 'RateUnavailable', pair: leg.pair, reason: 'PegBroken', peg: asset.peg })
    : E.right(observed)
}

type Priced = E.Either<RateUnavailable | AmountTooLarge, NewQuote>

/** A price in the currency that the asset is at par with. The floor of 0.10 USD is known for dollars only. */
const pricedAtPar = ({ cents, currency }: Priceable): Priced => {
  const floor = currency === 'USD' ? stroops(STROOPS_PER_UNIT / 10n) : null
  return quoteOf(rational(cents * STROOPS_PER_UNIT, 100n), floor, true, [])
}

/** The amount at rates that were accepted. */
const priced = (request: Priceable, rates: LegRates): Priced => {
  const { asset, cents, currency } = request
  if (isAtItsPar(request)) return pricedAtPar(request)
  const usdPerAsset = usdPerUnit(request, rates)
  if (E.isLeft(usdPerAsset)) return usdPerAsset
  const stroopsPerUsd = rational(STROOPS_PER_UNIT).div(usdPerAsset.right)
  const usd = rational(cents, 100n).div(perUsd(currency, rates, request))
  const excessFloor = roundedDown(stroopsPerUsd.div(10n))
  if (excessFloor > maximumStroops) return E.left({ _tag: 'AmountTooLarge' })
  const observations = [...rates.values()].flatMap((each) => each.observations)
  return quoteOf(usd.mul(stroopsPerUsd), stroops(excessFloor), asset.peg !== null, observations)
}

/** The only place where an amount is rounded. */
const quoteOf = (
  exact: Rational,
  excessFloor: Stroops | null,
  pegged: boolean,
  rates: ReadonlyArray<RateObservation>,
): Priced => {
  const amount = roundedUp(exact)
  if (amount > maximumStroops) return E.left({ _tag: 'AmountTooLarge' })
  return E.right({ amount: stroops(amount), pegged, excessFloor, rates })
}

/**
 * Converts a price into an asset now: over USD, in exact fractions, rounded up once to a whole stroop.
 * Errors: `RateUnavailable` where a bound on rates is broken; `AmountTooLarge`.
 */
export const quoteAmount = (request: QuoteRequest): QuoteOutcome => {
  const { rates, memory, verdicts } = judgeLegs(legsOf(request), request.observations, request.memory, request.now)
  if (E.isLeft(rates)) return { quote: rates, memory, verdicts }
  const quote = priced(request, rates.right)
  const broken = E.isLeft(quote) && quote.left._tag === 'RateUnavailable' ? quote.left : null
  return {
    quote,
    memory,
    verdicts: verdicts.map((each) => (each.pair === broken?.pair ? { ...each, failure: broken } : each)),
  }
}

/** An amount by the last rates that sources agreed on. */
export type AgreedQuote = { readonly amount: Stroops; readonly rates: ReadonlyArray<AgreedRate> }

/**
 * What a price took of a pegged asset by the last accepted rate of each leg. None if the asset has no peg, if it was off its
 * peg at last, if a jump waits to be confirmed, or if a leg never had a rate: nothing is known then that sources agreed on.
 */
export const agreedQuote = (request: Priceable & Pick<QuoteRequest, 'memory'>): O.Option<AgreedQuote> => {
  const { asset, memory } = request
  if (asset.peg === null) return O.none
  const rates = new Map<string, KnownRate>()
  for (const { pair } of legsOf(request)) {
    const remembered = memory.get(pair)
    if (remembered === undefined || remembered.jump !== null) return O.none
    rates.set(pair, { rate: remembered.accepted, observations: [] })
  }
  const quote = priced(request, rates)
  if (E.isLeft(quote)) return O.none
  const agreed = [...rates].map(([pair, { rate }]) => ({ pair: asText(pair), rate: asText(decimalFromRational(rate)) }))
  return O.some({ amount: quote.right.amount, rates: agreed })
}

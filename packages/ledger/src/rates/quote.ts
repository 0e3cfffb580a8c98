import { type Cents, type CurrencyCode, maximumStroops, type NewQuote, stroops, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { assetLeg, fiatLeg, type Leg, type LegRate } from './leg.ts'
import { judgeLegs, type LegVerdict, type RateMemory } from './legs.ts'
import { dividedBy, isFurtherThan, type Rational, rational, roundedDown, roundedUp, times } from './rational.ts'
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

/** More than an account can hold (2^63 - 1 stroops). */
export type AmountTooLarge = { readonly _tag: 'AmountTooLarge' }

/** The quote, if there can be one, and what to remember in either case: a jump is confirmed by refused quotes too. */
export type QuoteOutcome = {
  readonly quote: E.Either<RateUnavailable | AmountTooLarge, NewQuote>
  readonly memory: RateMemory
  /** How each leg fared, for who watches over the sources. */
  readonly verdicts: ReadonlyArray<LegVerdict>
}

/** The fiat legs first: of the price, and of what the asset is pegged to; then the asset's own. USD needs no leg. */
const legsOf = ({
  currency,
  asset,
  majors,
}: Pick<QuoteRequest, 'currency' | 'asset' | 'majors'>): ReadonlyArray<Leg> => {
  const currencies = new Set<string>([currency, asset.peg ?? 'USD'])
  currencies.delete('USD')
  return [...[...currencies].map((each) => fiatLeg(each, majors)), assetLeg(asset)]
}

/** The pairs a quote needs to be observed. */
export const quotedPairs = (request: Pick<QuoteRequest, 'currency' | 'asset' | 'majors'>): ReadonlyArray<string> =>
  legsOf(request).map(({ pair }) => pair)

/** Units of a currency for one USD. */
const perUsd = (currency: string, rates: ReadonlyMap<string, LegRate>, request: QuoteRequest): Rational =>
  currency === 'USD' ? rational(1n) : rateOf(fiatLeg(currency, request.majors), rates)

const rateOf = ({ pair }: Leg, rates: ReadonlyMap<string, LegRate>): Rational => {
  const found = rates.get(pair)
  if (found === undefined) throw new Error(`${pair} was not among the judged legs`)
  return found.rate
}

/** The amount at rates that were accepted; the only place where anything is rounded. */
const priced = (
  request: QuoteRequest,
  rates: ReadonlyMap<string, LegRate>,
): E.Either<RateUnavailable | AmountTooLarge, NewQuote> => {
  const { asset, cents, currency } = request
  const leg = assetLeg(asset)
  const usdPerAsset = rateOf(leg, rates)
  const worthInPeg = times(usdPerAsset, perUsd(asset.peg ?? 'USD', rates, request))
  if (asset.peg !== null && isFurtherThan(PEG_PERCENT, worthInPeg, rational(1n)))
    return E.left({ _tag: 'RateUnavailable', pair: leg.pair, reason: 'PegBroken', peg: asset.peg })
  const stroopsPerUsd = dividedBy(rational(STROOPS_PER_UNIT), usdPerAsset)
  const usd = dividedBy(rational(cents, 100n), perUsd(currency, rates, request))
  const amount = roundedUp(times(usd, stroopsPerUsd))
  const excessFloor = roundedDown(times(rational(1n, 10n), stroopsPerUsd))
  if (amount > maximumStroops || excessFloor > maximumStroops) return E.left({ _tag: 'AmountTooLarge' })
  return E.right({
    amount: stroops(amount),
    pegged: asset.peg !== null,
    excessFloor: stroops(excessFloor),
    rates: [...rates.values()].flatMap(({ observations }) => observations),
  })
}

/**
 * What a price costs in an asset now: over USD, in exact fractions, rounded up once to a whole stroop.
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

import type { Stroops, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { assetLeg, fiatLeg, type Leg, legRate } from '../rates/leg.ts'
import { type Peggable, type Pricing, pricingOf } from '../rates/priced-asset.ts'
import { MAJOR_CURRENCIES } from '../rates/quote.ts'
import { dividedBy, type Rational, rational, times } from '../rates/rational.ts'
import type { PricedAsset, RateObservation, RateSource } from '../rates/source.ts'

/** What an amount of one asset is worth in another by the rates, in stroops; null where a leg has no rate to be trusted. */
export type Reference = (amount: Stroops, destination: Peggable, send: Peggable, at: UnixMs) => T.Task<Rational | null>

/** Over USD, by each asset's own leg, or by its currency's where it is worth that; a dollar needs none. */
const legOf = (asset: PricedAsset, majors: ReadonlySet<string>): Leg | null => {
  if (!asset.isAtPar) return assetLeg(asset)
  return asset.peg === 'USD' ? null : fiatLeg(asset.peg, majors)
}

/** As a quoter has them: which assets the source speaks of, and which currencies' sources must agree within 2 %. */
type ReferenceOptions = { readonly pricing?: Pricing; readonly majors?: ReadonlySet<string> }

/** Jumps are not waited for: nothing is priced by this, it only holds a path against what markets say at the same moment. */
export const referenceFrom =
  (
    source: RateSource,
    { pricing = pricingOf(() => false), majors = MAJOR_CURRENCIES }: ReferenceOptions = {},
  ): Reference =>
  (amount, destination, send, at) => {
    const [due, sent] = [pricing(destination), pricing(send)]
    const [dueLeg, sentLeg] = [legOf(due, majors), legOf(sent, majors)]
    const pairs = new Set([sentLeg, dueLeg].flatMap((leg) => leg?.pair ?? []))
    const worth = (observations: ReadonlyArray<RateObservation>): Rational | null => {
      const usdPerUnit = (asset: PricedAsset, leg: Leg | null): Rational | null => {
        if (leg === null) return rational(1n)
        const found = legRate(leg, observations, at)
        if (E.isLeft(found)) return null
        return asset.isAtPar ? dividedBy(rational(1n), found.right.rate) : found.right.rate
      }
      const [usdPerSend, usdPerDue] = [usdPerUnit(sent, sentLeg), usdPerUnit(due, dueLeg)]
      if (usdPerSend === null || usdPerDue === null) return null
      return dividedBy(times(rational(amount), usdPerDue), usdPerSend)
    }
    return pipe(
      pairs.size === 0 ? TE.right([]) : source.observe([...pairs], at),
      TE.match(() => null, worth),
    )
  }

import type { Stroops, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import { assetLeg, fiatLeg, type Leg, legRate } from '../rates/leg.ts'
import { type Peggable, type Pricing, pricingOf } from '../rates/priced-asset.ts'
import { MAJOR_CURRENCIES } from '../rates/quote.ts'
import { type Rational, rational } from '../rates/rational.ts'
import type { PricedAsset, RateSource } from '../rates/source.ts'

/**
 * The worth of an amount of one asset in another by the rates, in stroops; null where a leg has no trustworthy rate.
 */
export type Reference = (amount: Stroops, destination: Peggable, send: Peggable, at: UnixMs) => T.Task<Rational | null>

/** The asset's own leg over USD, or that of its currency for an asset at par; null for dollars. */
const legOf = (asset: PricedAsset, majors: ReadonlySet<string>): Leg | null => {
  if (!asset.isAtPar) return assetLeg(asset)
  return asset.peg === 'USD' ? null : fiatLeg(asset.peg, majors)
}

/** Which assets the source covers, and which currencies' sources must agree within 2 %. */
type ReferenceOptions = { readonly pricing?: Pricing; readonly majors?: ReadonlySet<string> }

/**
 * Compares paths with the markets of the same moment. It prices nothing, so it does not wait until jumps are confirmed.
 */
export const referenceFrom =
  (
    source: RateSource,
    { pricing = pricingOf(() => false), majors = MAJOR_CURRENCIES }: ReferenceOptions = {},
  ): Reference =>
  (amount, destination, send, at) =>
  async () => {
    const [due, sent] = [pricing(destination), pricing(send)]
    const [dueLeg, sentLeg] = [legOf(due, majors), legOf(sent, majors)]
    const pairs = new Set([sentLeg, dueLeg].flatMap((leg) => leg?.pair ?? []))
    const observed = pairs.size === 0 ? E.right([]) : await source.observe([...pairs], at)()
    if (E.isLeft(observed)) return null
    const usdPerUnit = (asset: PricedAsset, leg: Leg | null): Rational | null => {
      if (leg === null) return rational(1n)
      const found = legRate(leg, observed.right, at)
      if (E.isLeft(found)) return null
      return asset.isAtPar ? rational(1n).div(found.right.rate) : found.right.rate
    }
    const [usdPerSend, usdPerDue] = [usdPerUnit(sent, sentLeg), usdPerUnit(due, dueLeg)]
    if (usdPerSend === null || usdPerDue === null) return null
    return usdPerDue.mul(amount).div(usdPerSend)
  }

import type { Stroops, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { assetLeg, legRate } from '../rates/leg.ts'
import { dividedBy, type Rational, rational, times } from '../rates/rational.ts'
import type { PricedAsset, RateObservation, RateSource } from '../rates/source.ts'

/** What an amount of one asset is worth in another by the rates, in stroops; null where a leg has no rate to be trusted. */
export type Reference = (
  amount: Stroops,
  destination: PricedAsset,
  send: PricedAsset,
  at: UnixMs,
) => T.Task<Rational | null>

/**
 * Over USD, by both assets' own legs. Jumps are not waited for: nothing is priced by this, it only holds a path against
 * what markets say at the same moment.
 */
export const referenceFrom =
  (source: RateSource): Reference =>
  (amount, destination, send, at) => {
    const [given, wanted] = [assetLeg(send), assetLeg(destination)]
    const worth = (observations: ReadonlyArray<RateObservation>): Rational | null => {
      const [usdPerSend, usdPerDue] = [legRate(given, observations, at), legRate(wanted, observations, at)]
      if (E.isLeft(usdPerSend) || E.isLeft(usdPerDue)) return null
      return dividedBy(times(rational(amount), usdPerDue.right.rate), usdPerSend.right.rate)
    }
    return pipe(
      source.observe([...new Set([given.pair, wanted.pair])], at),
      TE.match(() => null, worth),
    )
  }

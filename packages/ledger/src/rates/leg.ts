import { dayMs, hourMs, minuteMs, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isFurtherThan, median, type Rational, rational, rationalFromDecimal } from './rational.ts'
import type { PricedAsset, RateObservation, RateUnavailable, RejectedObservation } from './source.ts'

const MINIMUM_SOURCES = 2

/** One half of a conversion: fiat to USD, or USD to an asset. `tolerance` is in percent of the median. */
export type Leg = {
  readonly pair: string
  readonly kind: 'fiat' | 'pegged' | 'floating'
  readonly tolerance: bigint
}

/** A leg's rate, the observations that made it, those that did not count, and the time of the oldest that did. */
export type LegRate = {
  readonly rate: Rational
  readonly observations: ReadonlyArray<RateObservation>
  readonly rejected: ReadonlyArray<RejectedObservation>
  readonly observedAt: UnixMs
}

export const fiatLeg = (currency: string, majors: ReadonlySet<string>): Leg => ({
  pair: `USD/${currency}`,
  kind: 'fiat',
  tolerance: majors.has(currency) ? 2n : 5n,
})

/** The leg of an asset that markets speak of. */
export const assetLeg = ({ code, peg }: Pick<PricedAsset, 'code' | 'peg'>): Leg => ({
  pair: `${code}/USD`,
  kind: peg === null ? 'floating' : 'pegged',
  tolerance: 2n,
})

/** Whether a Saturday or Sunday (UTC) lies in or between two moments, which are at most some days apart. */
const touchesWeekend = (from: UnixMs, to: UnixMs): boolean => {
  for (let day = Math.floor(from / dayMs); day <= Math.floor(to / dayMs); day++) {
    // Day 0 of the Unix calendar was a Thursday.
    if (day % 7 === 2 || day % 7 === 3) return true
  }
  return false
}

/**
 * An observation counts for moments near it, before as well as after: a payment that came without a valid quote is
 * judged at its ledger's time, which is over when the rate is looked up.
 */
const isStale = ({ kind }: Leg, observedAt: UnixMs, now: UnixMs): boolean => {
  const distance = Math.abs(now - observedAt)
  switch (kind) {
    case 'floating':
      return distance > 2 * minuteMs
    case 'pegged':
      return distance > 15 * minuteMs
    case 'fiat': {
      if (distance <= 36 * hourMs) return false
      const [from, to] = observedAt < now ? [observedAt, now] : [now, observedAt]
      return distance > 72 * hourMs || !touchesWeekend(from, to)
    }
  }
}

type Usable = { readonly observation: RateObservation; readonly rate: Rational }

const usable = (leg: Leg, observation: RateObservation, now: UnixMs): E.Either<RejectedObservation, Usable> => {
  const rate = rationalFromDecimal(observation.rate)
  if (O.isNone(rate)) return E.left({ observation, reason: 'Malformed' })
  if (rate.value.lte(0n)) return E.left({ observation, reason: 'NotPositive' })
  if (isStale(leg, observation.observedAt, now)) return E.left({ observation, reason: 'Stale' })
  return E.right({ observation, rate: rate.value })
}

/** A source has one voice: its newest. */
const newestOfEachSource = (all: ReadonlyArray<Usable>): ReadonlyArray<Usable> => {
  const newest = new Map<string, Usable>()
  for (const each of all) {
    const known = newest.get(each.observation.source)
    if (known === undefined || known.observation.observedAt < each.observation.observedAt)
      newest.set(each.observation.source, each)
  }
  return [...newest.values()]
}

/**
 * The median of what at least two sources say of a leg, after rejecting what is malformed, not positive, too old, or
 * too far from the median of the others and itself.
 */
export const legRate = (
  leg: Leg,
  observations: ReadonlyArray<RateObservation>,
  now: UnixMs,
): E.Either<RateUnavailable, LegRate> => {
  const judged = observations.filter(({ pair }) => pair === leg.pair).map((each) => usable(leg, each, now))
  const candidates = newestOfEachSource(judged.flatMap((each) => (E.isRight(each) ? [each.right] : [])))
  const middle = candidates.length === 0 ? rational(1n) : median(candidates.map(({ rate }) => rate))
  const isOutlier = ({ rate }: Usable): boolean => isFurtherThan(leg.tolerance, rate, middle)
  const kept = candidates.filter((each) => !isOutlier(each))
  const early = judged.flatMap((each) => (E.isLeft(each) ? [each.left] : []))
  const outliers = candidates
    .filter(isOutlier)
    .map(({ observation }): RejectedObservation => ({ observation, reason: 'Outlier' }))
  const rejected = [...early, ...outliers]
  if (kept.length < MINIMUM_SOURCES)
    return E.left({ _tag: 'RateUnavailable', pair: leg.pair, reason: 'TooFewSources', rejected })
  return E.right({
    rate: median(kept.map(({ rate }) => rate)),
    observations: kept.map(({ observation }) => observation),
    rejected,
    observedAt: unixMs(Math.min(...kept.map(({ observation }) => observation.observedAt))),
  })
}

import type { UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { judgeJump, type LegMemory } from './jump.ts'
import { type Leg, type LegRate, legRate } from './leg.ts'
import { decimalFromRational, type Rational } from './rational.ts'
import type { RateObservation, RateUnavailable, RejectedObservation } from './source.ts'

/** What is remembered of each pair between quotes. Begin with an empty one; keep what each quote gives back. */
export type RateMemory = ReadonlyMap<string, LegMemory>

/** How one leg fared: what did not count of it, and why it has no rate; null where it has one. */
export type LegVerdict = {
  readonly pair: string
  readonly rejected: ReadonlyArray<RejectedObservation>
  readonly failure: RateUnavailable | null
}

type JudgedLegs = {
  readonly rates: E.Either<RateUnavailable, ReadonlyMap<string, LegRate>>
  readonly memory: RateMemory
  readonly verdicts: ReadonlyArray<LegVerdict>
}

/** All legs' rates, or the first failure; every leg is remembered, also beside one that fails. */
export const judgeLegs = (
  legs: ReadonlyArray<Leg>,
  observations: ReadonlyArray<RateObservation>,
  memory: RateMemory,
  now: UnixMs,
): JudgedLegs => {
  const remembered = new Map(memory)
  const rates = new Map<string, LegRate>()
  const verdicts = legs.map((leg): LegVerdict => {
    const { pair } = leg
    const observed = legRate(leg, observations, now)
    if (E.isLeft(observed)) return { pair, rejected: rejectedIn(observed.left), failure: observed.left }
    const { rate, rejected } = observed.right
    const judged = judgeJump(memory.get(pair), observed.right)
    remembered.set(pair, judged.memory)
    if (judged.isAccepted) rates.set(pair, observed.right)
    return { pair, rejected, failure: judged.isAccepted ? null : unconfirmed(pair, judged.memory.accepted, rate) }
  })
  const failure = verdicts.find((each) => each.failure !== null)?.failure ?? null
  return { rates: failure === null ? E.right(rates) : E.left(failure), memory: remembered, verdicts }
}

const rejectedIn = (failure: RateUnavailable): ReadonlyArray<RejectedObservation> =>
  failure.reason === 'TooFewSources' ? failure.rejected : []

const unconfirmed = (pair: string, accepted: Rational, observed: Rational): RateUnavailable => ({
  _tag: 'RateUnavailable',
  pair,
  reason: 'JumpUnconfirmed',
  accepted: decimalFromRational(accepted),
  observed: decimalFromRational(observed),
})

import type { UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { filterMap } from 'fp-ts/lib/ReadonlyArray.js'
import { judgeJump, type LegMemory } from './jump.ts'
import { type Leg, type LegRate, legRate } from './leg.ts'
import { decimalFromRational, median, rationalFromDecimal } from './rational.ts'
import type { RateObservation, RateUnavailable } from './source.ts'

/** What is remembered of each pair between quotes. Begin with an empty one; keep what each quote gives back. */
export type RateMemory = ReadonlyMap<string, LegMemory>

/**
 * The memory that a stored quote leaves behind, from the observations it was made of: what to begin with after a
 * restart. A jump that was waiting starts its waiting anew.
 */
export const rememberedFrom = (rates: ReadonlyArray<RateObservation>): RateMemory =>
  new Map(
    [...Map.groupBy(rates, ({ pair }) => pair)].flatMap(([pair, observations]) => {
      const read = filterMap(({ rate }: RateObservation) => rationalFromDecimal(rate))(observations)
      return read.length === 0 ? [] : [[pair, { accepted: median(read), jump: null }]]
    }),
  )

/** All legs' rates, or the first failure; every leg is remembered, also beside one that fails. */
export const judgeLegs = (
  legs: ReadonlyArray<Leg>,
  observations: ReadonlyArray<RateObservation>,
  memory: RateMemory,
  now: UnixMs,
): { readonly rates: E.Either<RateUnavailable, ReadonlyMap<string, LegRate>>; readonly memory: RateMemory } => {
  const remembered = new Map(memory)
  const rates = new Map<string, LegRate>()
  const failures: Array<RateUnavailable> = []
  for (const leg of legs) {
    const { pair } = leg
    const observed = legRate(leg, observations, now)
    if (E.isLeft(observed)) {
      failures.push(observed.left)
      continue
    }
    const judged = judgeJump(memory.get(pair), observed.right)
    remembered.set(pair, judged.memory)
    if (judged.isAccepted) rates.set(pair, observed.right)
    else
      failures.push({
        _tag: 'RateUnavailable',
        pair,
        reason: 'JumpUnconfirmed',
        accepted: decimalFromRational(judged.memory.accepted),
        observed: decimalFromRational(observed.right.rate),
      })
  }
  const [failure] = failures
  return { rates: failure === undefined ? E.right(rates) : E.left(failure), memory: remembered }
}

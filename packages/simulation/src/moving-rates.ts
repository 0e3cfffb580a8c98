import { asText } from '@quittance/domain'
import { type RateObservation, type RateSource, sandboxRates } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The pair that moves; the other assets keep their pegs. */
const moving = 'XLM/USD'

/** The sandbox's rates, of which one moves, in percent of what it was at the start. A rate of the past stays. */
export const movingRates = () => {
  const changes: Array<{ readonly at: number; readonly percent: number }> = []
  const percentAt = (at: number): number => changes.findLast((change) => change.at <= at)?.percent ?? 100
  const observe: RateSource['observe'] = (pairs, at) => {
    const percent = percentAt(at)
    const observed = sandboxRates.observe(pairs, at)
    if (percent === 100) return observed
    return TE.map((found: ReadonlyArray<RateObservation>) =>
      found.map((one) =>
        one.pair === moving ? { ...one, rate: asText(((Number(one.rate) * percent) / 100).toFixed(6)) } : one,
      ),
    )(observed)
  }
  return {
    isOut: false,
    wereOut: false,
    observe,
    moveTo: (percent: number, at: number): void => void changes.push({ at: at + 1, percent }),
  }
}

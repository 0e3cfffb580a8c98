import { asText, type UnixMs } from '@quittance/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { UNITS_PER_USD_2026_11_01 } from './sandbox-table.ts'
import type { RateObservation, RateSource } from './source.ts'

const SOURCES = ['sandbox-one', 'sandbox-two'].map(asText)

const USD_PER_ASSET: Readonly<Record<string, string>> = { 'XLM/USD': '0.25', 'USDC/USD': '1', 'EURC/USD': '1.08' }

const PINNED: ReadonlyMap<string, string> = new Map([
  ...Object.entries(USD_PER_ASSET),
  ...Object.entries(UNITS_PER_USD_2026_11_01).map(([currency, rate]): [string, string] => [`USD/${currency}`, rate]),
])

const observations = (pair: string, rate: string, observedAt: UnixMs): ReadonlyArray<RateObservation> =>
  SOURCES.map((source) => ({ source, pair: asText(pair), rate: asText(rate), observedAt }))

/**
 * Pinned rates that two sources agree on and that are fresh at any time asked for. A pair it does not know has none.
 */
export const sandboxRates: RateSource = {
  observe: (pairs, at) =>
    TE.right(
      pairs.flatMap((pair) => {
        const rate = PINNED.get(pair)
        return rate === undefined ? [] : observations(pair, rate, at)
      }),
    ),
}

import { readFileSync } from 'node:fs'
import { publicRates, type RatesConfig, ratesConfigFrom } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { matching, type Settings } from './settings.ts'

const choices = 'sandbox, public, or a file of sources'

/**
 * The sources of rates, from a file or the public ones. Null: the sandbox has pinned rates, and other networks have
 * none.
 */
export const ratesIn = ({ read, complain }: Settings): RatesConfig | null => {
  const named = read('RATES', choices, matching(/./), 'sandbox')
  if (named === 'sandbox') return null
  if (named === 'public') return publicRates
  const rates = readRatesFile(named)
  if (E.isRight(rates)) return rates.right
  const expected = (problem: string): string => `${choices}, in which this is put right: ${problem}`
  complain(...rates.left.map((problem) => ({ variable: 'QUITTANCE_RATES', expected: expected(problem) })))
  return null
}

/** Reads a file of rate sources. Errors: one sentence for each problem. */
const readRatesFile = (path: string): E.Either<ReadonlyArray<string>, RatesConfig> =>
  pipe(
    E.tryCatch(
      () => readFileSync(path, 'utf8'),
      () => [`there is no file ${path} that can be read`],
    ),
    E.chain((text) =>
      E.tryCatch(
        (): unknown => JSON.parse(text),
        () => ['it is no JSON'],
      ),
    ),
    E.chain(ratesConfigFrom),
  )

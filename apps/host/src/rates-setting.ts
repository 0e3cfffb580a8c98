import { publicRates, type RatesConfig } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { readRatesFile } from './rates-file.ts'
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

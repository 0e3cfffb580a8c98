import { existsSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { decoded } from '../testing/examples.ts'
import { CurrencyCode, exponentOf, supportedCurrencies } from './currency.ts'

describe('the supported currencies', () => {
  it('supports 170 currencies, each once, in the order of their codes', () => {
    const codes = supportedCurrencies.map(({ code }) => code)
    expect(codes).toHaveLength(170)
    expect(codes).toEqual([...new Set(codes)].sort())
  })

  const published = new URL('../../../../../shared/interface/currencies.json', import.meta.url)
  if (existsSync(published)) {
    it('agrees with the published list of currencies, its exponents and names', () =>
      expect(supportedCurrencies).toEqual(JSON.parse(readFileSync(published, 'utf8'))))
  } else {
    process.stdout.write('not compared: the published list of currencies is not beside this project\n')
  }
})

describe('a currency code', () => {
  it.each(['usd', 'Usd', 'USD'])('reads a currency code in any case: %s', (input) =>
    expect(CurrencyCode.decode(input)).toEqual(E.right('USD')),
  )
  it.each(['', 'US', 'USDC', 'XXX', 'ßP', 'uſd', 5, null])('rejects an unlisted currency code: %p', (input) =>
    expect(E.isLeft(CurrencyCode.decode(input))).toBe(true),
  )
  it.each([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
    ['CLF', 4],
  ])('knows the ISO exponent of a currency: %s', (code, exponent) =>
    expect(exponentOf(decoded(CurrencyCode, code))).toBe(exponent),
  )
})

import * as t from 'io-ts'
import { currencies } from './currencies.ts'

export type CurrencyCode = t.Branded<string, { readonly CurrencyCode: symbol }>

/** `exponent` is the number of decimals by ISO 4217. */
export type Currency = { readonly code: CurrencyCode; readonly exponent: 0 | 2 | 3 | 4; readonly name: string }

const exponents = new Map(currencies.map(([code, exponent]) => [code, exponent]))
const isCode = (input: unknown): input is CurrencyCode => typeof input === 'string' && exponents.has(input)

/** One of the 170 currency codes: read in any case, always upper case in memory and on the wire. */
export const CurrencyCode: t.Type<CurrencyCode, string, unknown> = new t.Type(
  'CurrencyCode',
  isCode,
  (input, context) => {
    // Only ASCII letters: other letters change their number when they become capitals.
    const code = typeof input === 'string' && /^[A-Za-z]{3}$/.test(input) ? input.toUpperCase() : input
    return isCode(code) ? t.success(code) : t.failure(input, context)
  },
  t.identity,
)

/** All supported currencies in the order of their codes. */
export const supportedCurrencies: ReadonlyArray<Currency> = currencies.flatMap(([code, exponent, name]) =>
  isCode(code) ? [{ code, exponent, name }] : [],
)

/** The number of decimals of a currency by ISO 4217. */
export const exponentOf = (currency: CurrencyCode): 0 | 2 | 3 | 4 => {
  const exponent = exponents.get(currency)
  if (exponent === undefined) throw new RangeError(`${currency} is no supported currency`)
  return exponent
}

import { int64Max } from './accounts.ts'

const stroopsInOne = 10_000_000n
const decimals = 7

/** Writes stroops as a decimal without trailing zeros, such as `12.5`. */
export const decimalOf = (stroops: bigint): string => {
  const fraction = (stroops % stroopsInOne).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${stroops / stroopsInOne}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Reads a decimal such as `12.5` as stroops: digits, then at most 7 fraction digits; no sign, exponent or grouping.
 * Undefined for any other text, and above 2^63 - 1.
 */
export const stroopsOf = (text: string): bigint | undefined => {
  const [, whole, fraction = ''] = /^(\d{1,19})(?:\.(\d{1,7}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const stroops = BigInt(whole) * stroopsInOne + BigInt(fraction.padEnd(decimals, '0'))
  return stroops > int64Max ? undefined : stroops
}

/**
 * An exact decimal number: 0.digits × 10^point, so `12.5` is { digits: '125', point: 2 }. `digits` has no leading or
 * trailing zeros and is empty for zero. However large the exponent, no power of ten is ever computed.
 */
export type Decimal = { readonly isNegative: boolean; readonly digits: string; readonly point: number }

// Loops, not patterns: /0+$/ takes quadratic time on a long run of zeros that does not end the text.
const leadingZeros = (digits: string): number => {
  let index = 0
  while (digits[index] === '0') index++
  return index
}
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Reads the text of a JSON number exactly (RFC 8259, "Numbers"), exponents included; `null` for any other text. */
export const readDecimal = (text: string): Decimal | null => {
  const match = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const all = `${whole}${fraction}`
  const zeros = leadingZeros(all)
  const digits = withoutTrailingZeros(all.slice(zeros))
  const point = digits === '' ? 0 : whole.length - zeros + Number(exponent)
  return { isNegative: sign === '-', digits, point }
}

/** The number × 10^places. */
export const shifted = (number: Decimal, places: number): Decimal => ({ ...number, point: number.point + places })

export const isPositive = ({ isNegative, digits }: Decimal): boolean => !isNegative && digits !== ''

export const isWhole = ({ digits, point }: Decimal): boolean => digits.length <= point || digits === ''

/** What stands before the decimal point. The caller has made sure that `point` is small. */
export const wholePart = ({ digits, point }: Decimal): bigint =>
  point <= 0 ? 0n : BigInt(digits.slice(0, point).padEnd(point, '0'))

/** A positive number to the nearest whole one, halves up. The caller has made sure that `point` is small. */
export const roundedHalfUp = (number: Decimal): bigint => {
  const next = number.point < 0 ? '0' : (number.digits[number.point] ?? '0')
  return wholePart(number) + (next >= '5' ? 1n : 0n)
}

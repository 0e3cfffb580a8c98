import * as O from 'fp-ts/lib/Option.js'
import Fraction from 'fraction.js'

/** An exact, reduced fraction. */
export type Rational = Fraction

/** From whole numbers only: a number with a fraction would be approximated. */
export const rational = (numerator: bigint, denominator = 1n): Rational => new Fraction(numerator, denominator)

/** More digits than any market states; keeps a hostile source from making us count. */
const MAX_LENGTH = 60

/**
 * Reads decimal text, such as `"0.25"`, exactly.
 * Shape: an optional minus, digits, then optionally a point and digits; no exponent, at most 60 characters.
 */
export const rationalFromDecimal = (text: string): O.Option<Rational> =>
  /^-?\d+(\.\d+)?$/.test(text) && text.length <= MAX_LENGTH ? O.some(new Fraction(text)) : O.none

/** Whether `value` is more than `percent` % away from `reference`, which is positive. */
export const isFurtherThan = (percent: bigint, value: Rational, reference: Rational): boolean =>
  value.sub(reference).abs().gt(reference.mul(percent, 100n))

/** The largest whole number that is not above. */
export const roundedDown = (value: Rational): bigint => wholeOf(value.floor())

/** The smallest whole number that is not below. */
export const roundedUp = (value: Rational): bigint => wholeOf(value.ceil())

const wholeOf = ({ s, n }: Rational): bigint => s * n

/** The middle one, or the mean of the two in the middle. Throws on an empty list. */
export const median = (values: ReadonlyArray<Rational>): Rational => {
  const sorted = values.toSorted((one, other) => one.compare(other))
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new RangeError('no median of nothing')
  return lower.add(upper).div(2n)
}

/**
 * Exact decimal text without trailing zeros. Throws a `RangeError` for a fraction that no finite decimal equals; those
 * read from decimals, and medians of them, always have one.
 */
export const decimalFromRational = (value: Rational): string => {
  const text = value.toString(2 * MAX_LENGTH)
  if (text.includes('(') || !value.equals(text)) throw new RangeError(`${value.toFraction()} is no finite decimal`)
  return text
}

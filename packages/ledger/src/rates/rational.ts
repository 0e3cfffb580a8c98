import * as O from 'fp-ts/lib/Option.js'

/** An exact fraction. The denominator is positive; it need not be reduced. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint }

export const rational = (numerator: bigint, denominator = 1n): Rational =>
  denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator }

/** More digits than any market states; keeps a hostile source from making us count. */
const MAX_LENGTH = 60

/**
 * Reads decimal text, such as `"0.25"`, exactly.
 * Shape: an optional minus, digits, then optionally a point and digits; no exponent, at most 60 characters.
 */
export const rationalFromDecimal = (text: string): O.Option<Rational> => {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null || text.length > MAX_LENGTH) return O.none
  const [, whole = '', fraction = ''] = match
  return O.some(rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length)))
}

export const times = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator)

/** Throws a `RangeError` when `b` is zero: rates are positive before they divide anything. */
export const dividedBy = (a: Rational, b: Rational): Rational => {
  if (b.numerator === 0n) throw new RangeError('division by zero')
  return rational(a.numerator * b.denominator, a.denominator * b.numerator)
}

export const plus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

/** Negative, 0 or positive, as for sorting. */
export const compare = (a: Rational, b: Rational): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Whether `value` is more than `percent` % away from `reference`, which is positive. */
export const isFurtherThan = (percent: bigint, value: Rational, reference: Rational): boolean => {
  const distance = plus(value, rational(-reference.numerator, reference.denominator))
  const magnitude = distance.numerator < 0n ? rational(-distance.numerator, distance.denominator) : distance
  return compare(magnitude, times(reference, rational(percent, 100n))) > 0
}

/** The largest whole number that is not above. */
export const roundedDown = ({ numerator, denominator }: Rational): bigint => {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

/** The smallest whole number that is not below. */
export const roundedUp = ({ numerator, denominator }: Rational): bigint =>
  -roundedDown(rational(-numerator, denominator))

/** The middle one, or the mean of the two in the middle. Throws on an empty list. */
export const median = (values: ReadonlyArray<Rational>): Rational => {
  const sorted = values.toSorted(compare)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new RangeError('no median of nothing')
  return times(plus(lower, upper), rational(1n, 2n))
}

/**
 * Exact decimal text without trailing zeros. Throws a `RangeError` for a fraction that no finite decimal equals; those
 * read from decimals, and medians of them, always have one.
 */
export const decimalFromRational = ({ numerator, denominator }: Rational): string => {
  for (let places = 0; places <= 2 * MAX_LENGTH; places++) {
    const scaled = numerator * 10n ** BigInt(places)
    if (scaled % denominator === 0n) {
      const digits = (scaled / denominator).toString().padStart(places + 1, '0')
      return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
    }
  }
  throw new RangeError(`${numerator}/${denominator} is no finite decimal`)
}

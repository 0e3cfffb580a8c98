import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import {
  decimalFromRational,
  isFurtherThan,
  median,
  rational,
  rationalFromDecimal,
  roundedDown,
  roundedUp,
} from './rational.ts'

const fraction = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([numerator, denominator]) => rational(numerator, denominator))

describe('reading a decimal', () => {
  it.each([
    ['0', 0n, 1n],
    ['12', 12n, 1n],
    ['0.25', 25n, 100n],
    ['-1.5', -15n, 10n],
    ['007.10', 710n, 100n],
  ])('%s is %p / %p', (text, numerator, denominator) =>
    expect(rationalFromDecimal(text)).toEqual(O.some(rational(numerator, denominator))),
  )
  it.each(['', '.5', '5.', '1e3', '+1', '1,5', '1.2.3', ' 1', '1 ', 'NaN', 'Infinity', '0x10', '1'.repeat(61)])(
    '%p is none',
    (text) => expect(rationalFromDecimal(text)).toEqual(O.none),
  )
  it('takes 60 characters', () => expect(rationalFromDecimal('1'.repeat(60))).not.toEqual(O.none))
  it('writes the decimal that was read, without trailing zeros', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 20 }), (whole, places) => {
        const text = `${whole}.${'3'.repeat(places)}`
        expect(O.map(decimalFromRational)(rationalFromDecimal(text))).toEqual(O.some(text))
        expect(O.map(decimalFromRational)(rationalFromDecimal(`${text}00`))).toEqual(O.some(text))
      }),
    ))
  it('refuses to write a third as a decimal', () =>
    expect(() => decimalFromRational(rational(1n, 3n))).toThrow(RangeError))
})

describe('rational arithmetic', () => {
  it('inverts multiplication by division', () =>
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        fc.pre(!b.equals(0n))
        expect(a.mul(b).div(b)).toEqual(a)
      }),
    ))
  it('refuses to divide by zero', () => expect(() => rational(1n).div(0n)).toThrow())
  it('rounds to the whole numbers on either side', () =>
    fc.assert(
      fc.property(fraction, (value) => {
        const [down, up] = [roundedDown(value), roundedUp(value)]
        expect(value.compare(down)).toBeGreaterThanOrEqual(0)
        expect(value.compare(up)).toBeLessThanOrEqual(0)
        expect(value.compare(down + 1n)).toBeLessThan(0)
        expect(value.compare(up - 1n)).toBeGreaterThan(0)
      }),
    ))
  it.each([
    ['1', ['1']],
    ['2', ['1', '3']],
    ['2', ['9', '2', '1']],
    ['2.5', ['1', '2', '3', '100']],
  ])('%s is the median of %p', (middle, values) =>
    expect(
      decimalFromRational(median(values.map((each) => O.getOrElse(() => rational(0n))(rationalFromDecimal(each))))),
    ).toBe(middle),
  )
  it('refuses the median of an empty list', () => expect(() => median([])).toThrow(RangeError))
  it.each([
    [102n, false],
    [103n, true],
    [98n, false],
    [97n, true],
  ])('%p is further than 2 %% from 100: %p', (value, isFurther) =>
    expect(isFurtherThan(2n, rational(value), rational(100n))).toBe(isFurther),
  )
})

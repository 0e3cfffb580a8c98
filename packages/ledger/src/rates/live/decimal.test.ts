import { unixMs } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { rational, rationalFromDecimal } from '../rational.ts'
import { DecimalText, Moment } from './decimal.ts'
import { parseExactly } from './exact-json.ts'

const read = (text: string) => E.getOrElseW(() => null)(DecimalText.decode(text))

describe('a decimal of a market', () => {
  it.each([
    ['0.30000000000000004', '0.30000000000000004'],
    ['1.0e-7', '0.0000001'],
    ['1E3', '1000'],
    ['12.345e+1', '123.45'],
    ['12.345e-4', '0.0012345'],
    ['007.50', '7.5'],
    ['0', '0'],
    ['0.000', '0'],
    ['-0.25', '-0.25'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s', (text, plain) => expect(read(text)).toBe(plain))
  it.each([
    '',
    'null',
    'NaN',
    'Infinity',
    '0x10',
    '1,5',
    '.5',
    '5.',
    '1e',
    '1e41',
    '1e-41',
    '1e9999',
    '9'.repeat(41),
    ' 1',
  ])('rejects %j', (text) => expect(read(text)).toBeNull())
  it('keeps its value whatever its exponent', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: -20, max: 20 }), (digits, exponent) => {
        const text = read(`${digits}e${exponent}`) ?? ''
        const value = O.getOrElseW(() => null)(rationalFromDecimal(text))
        const [numerator, denominator] =
          exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n]
        expect(value?.equals(rational(numerator, denominator))).toBe(true)
      }),
    ))
})

describe('exact JSON', () => {
  it('keeps each number as it was written, in objects and lists', () =>
    expect(parseExactly('{"a":1.0e-7,"b":[0.30000000000000004,"x",null,true],"c":{"d":9007199254740993}}')).toEqual({
      a: '1.0e-7',
      b: ['0.30000000000000004', 'x', null, true],
      c: { d: '9007199254740993' },
    }))
})

describe('a moment of a market', () => {
  const noon = Date.UTC(2026, 10, 4, 12)
  it.each([
    [`${noon / 1000}`, noon],
    [`${noon / 1000}.25`, noon + 250],
    [`${noon}`, noon],
    [`${noon}000`, noon],
    ['2026-11-04T12:00:00Z', noon],
    ['2026-11-04T12:00:00.123456Z', noon + 123],
    ['2026-11-04T13:00:00+01:00', noon],
    ['2026-11-04', Date.UTC(2026, 10, 4)],
  ])('%s is read', (text, at) => expect(Moment.decode(text)).toEqual(E.right(unixMs(at))))
  it.each(['', 'yesterday', '12', '04.11.2026', '2026-13-45', '2026-11-04T12:00:00', '-1793793600', '1e12', null, {}])(
    '%j is none',
    (input) => expect(E.isLeft(Moment.decode(input))).toBe(true),
  )
})

import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { decoded } from '../testing/examples.ts'
import { cents, decimalFromCents, maximumCents } from './cents.ts'
import { type Currency, CurrencyCode, supportedCurrencies } from './currency.ts'
import { type PriceField, type PriceInput, readAssetPrice, readPrice } from './price.ts'
import { maximumStroops } from './stroops.ts'

const usd = decoded(CurrencyCode, 'USD')
const jpy = decoded(CurrencyCode, 'JPY')
const kwd = decoded(CurrencyCode, 'KWD')
const clf = decoded(CurrencyCode, 'CLF')

const amount = (text: string): PriceInput => ({ amount: text, amountCents: null })
const amountCents = (text: string): PriceInput => ({ amount: null, amountCents: text })

describe('a price in base units', () => {
  it.each([
    ['12.5', usd, 1250n],
    ['12.50000', usd, 1250n],
    ['0.01', usd, 1n],
    ['1e3', usd, 100_000n],
    ['1.5E+1', usd, 1500n],
    ['125e-1', usd, 1250n],
    ['0.1', usd, 10n],
    ['100000000000', usd, maximumCents],
    ['1000', jpy, 100_000n],
    ['1000.0', jpy, 100_000n],
    ['1.234', kwd, 123n],
    ['1.235', kwd, 124n],
    ['1.2349999999999999999999', kwd, 123n],
    ['0.005', kwd, 1n],
    ['1.2345', clf, 123n],
    ['1.2350', clf, 124n],
  ])('reads a price in base units exactly: %s %s', (text, currency, expected) =>
    expect(readPrice(amount(text), currency)).toEqual(E.right(expected)),
  )

  const field: PriceField = 'amount'
  it.each([
    ['0', usd, { _tag: 'NotPositive', field }],
    ['-1', usd, { _tag: 'NotPositive', field }],
    ['0e999999999', usd, { _tag: 'NotPositive', field }],
    ['-0.0', usd, { _tag: 'NotPositive', field }],
    ['0.001', usd, { _tag: 'TooManyDecimals', field, decimals: 2 }],
    ['12.345', usd, { _tag: 'TooManyDecimals', field, decimals: 2 }],
    ['1e-999999999', usd, { _tag: 'TooManyDecimals', field, decimals: 2 }],
    ['0.5', jpy, { _tag: 'NotWholeUnits', field }],
    ['1e-999999999', jpy, { _tag: 'NotWholeUnits', field }],
    ['0.004', kwd, { _tag: 'RoundsToZero', field }],
    ['1e-999999999', kwd, { _tag: 'RoundsToZero', field }],
    ['100000000000.01', usd, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
    ['100000000001', jpy, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
    ['100000000000.005', kwd, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
    ['1e999999999', usd, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
    [`1e${'9'.repeat(400)}`, usd, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
    ['', usd, { _tag: 'MalformedNumber', field }],
    ['NaN', usd, { _tag: 'MalformedNumber', field }],
    ['01', usd, { _tag: 'MalformedNumber', field }],
    ['.5', usd, { _tag: 'MalformedNumber', field }],
    ['5.', usd, { _tag: 'MalformedNumber', field }],
    ['+5', usd, { _tag: 'MalformedNumber', field }],
    ['0x10', usd, { _tag: 'MalformedNumber', field }],
    ['1e', usd, { _tag: 'MalformedNumber', field }],
  ])('rejects a price in base units: %s %s', (text, currency, rejection) =>
    expect(readPrice(amount(text), currency)).toEqual(E.left(rejection)),
  )

  it('reads a price of a million digits fast', () => {
    const zeros = '0'.repeat(1_000_000)
    expect(readPrice(amount(`12.5${zeros}`), usd)).toEqual(E.right(1250n))
    expect(readPrice(amount(`12.5${zeros}1`), usd)).toEqual(E.left({ _tag: 'TooManyDecimals', field, decimals: 2 }))
    expect(readPrice(amount(`0.${zeros}1`), kwd)).toEqual(E.left({ _tag: 'RoundsToZero', field }))
  })
})

describe('a price in hundredths', () => {
  const field: PriceField = 'amountCents'
  it.each([
    ['1', usd, 1n],
    ['1250', usd, 1250n],
    ['1.25e3', usd, 1250n],
    ['10000000000000', usd, maximumCents],
    ['100', jpy, 100n],
    ['123.4', kwd, 123n],
    ['123.5', kwd, 124n],
    ['0.5', clf, 1n],
  ])('reads a price in hundredths exactly: %s %s', (text, currency, expected) =>
    expect(readPrice(amountCents(text), currency)).toEqual(E.right(expected)),
  )
  it.each([
    ['0', usd, { _tag: 'NotPositive', field }],
    ['-1', usd, { _tag: 'NotPositive', field }],
    ['12.5', usd, { _tag: 'TooManyDecimals', field, decimals: 0 }],
    ['150', jpy, { _tag: 'NotWholeUnits', field }],
    ['1', jpy, { _tag: 'NotWholeUnits', field }],
    ['0.4', kwd, { _tag: 'RoundsToZero', field }],
    ['10000000000001', usd, { _tag: 'TooLarge', field, maximum: '10000000000000' }],
  ])('rejects a price in hundredths: %s %s', (text, currency, rejection) =>
    expect(readPrice(amountCents(text), currency)).toEqual(E.left(rejection)),
  )
})

describe('a price in both spellings', () => {
  it('accepts both spellings when they agree', () =>
    expect(readPrice({ amount: '12.5', amountCents: '1250' }, usd)).toEqual(E.right(1250n)))
  it('compares both spellings as stored', () =>
    expect(readPrice({ amount: '1.234', amountCents: '123' }, kwd)).toEqual(E.right(123n)))
  it('rejects spellings that disagree', () =>
    expect(readPrice({ amount: '12.5', amountCents: '1251' }, usd)).toEqual(
      E.left({ _tag: 'AmountsDisagree', amount: '12.5', amountCents: '1251' }),
    ))
  it('applies the rules to each spelling', () => {
    expect(readPrice({ amount: '12.5', amountCents: '0' }, usd)).toEqual(
      E.left({ _tag: 'NotPositive', field: 'amountCents' }),
    )
    expect(readPrice({ amount: 'x', amountCents: '1' }, usd)).toEqual(
      E.left({ _tag: 'MalformedNumber', field: 'amount' }),
    )
  })
  it('rejects a price without any spelling', () =>
    expect(readPrice({ amount: null, amountCents: null }, usd)).toEqual(E.left({ _tag: 'AmountMissing' })))
})

/** Hundredths that a currency can be priced in. */
const storable = ({ exponent }: Currency) =>
  exponent === 0
    ? fc.bigInt({ min: 1n, max: maximumCents / 100n }).map((units) => cents(units * 100n))
    : fc.bigInt({ min: 1n, max: maximumCents }).map(cents)

describe.each(supportedCurrencies)('a price in $code', (currency) => {
  const { code, exponent } = currency
  it('reads the same price from either spelling and from both', () =>
    fc.assert(
      fc.property(storable(currency), (price) => {
        const base = decimalFromCents(price)
        expect(readPrice(amount(base), code)).toEqual(E.right(price))
        expect(readPrice(amountCents(`${price}`), code)).toEqual(E.right(price))
        expect(readPrice({ amount: base, amountCents: `${price}` }, code)).toEqual(E.right(price))
      }),
      { numRuns: 20 },
    ))
  it('reads the same price from the number that a response shows', () =>
    fc.assert(
      fc.property(storable(currency), (price) => {
        const shown = { amount: `${Number(decimalFromCents(price))}`, amountCents: `${Number(price)}` }
        expect(readPrice(shown, code)).toEqual(E.right(price))
      }),
      { numRuns: 20 },
    ))
  it('stores a price whole, exact to two decimals or rounded half up to two, by currency, in either spelling', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 13n }), fc.integer({ min: 0, max: 5 }), (digits, places) => {
        const inBaseUnits = readPrice(amount(`${digits}e-${places}`), code)
        const inHundredths = readPrice(amountCents(`${digits}e${2 - places}`), code)
        const hundredths = digits * 10n ** BigInt(7 - places) // in 10⁻⁵ of a hundredth
        const rounded = (hundredths + 50_000n) / 100_000n
        const isExact = hundredths % (exponent === 0 ? 10_000_000n : 100_000n) === 0n
        const mayBeRead = (exponent > 2 || isExact) && rounded > 0n && rounded <= maximumCents
        expect([E.isRight(inBaseUnits), E.isRight(inHundredths)]).toEqual([mayBeRead, mayBeRead])
        if (E.isRight(inBaseUnits)) expect([inBaseUnits, inHundredths]).toEqual([E.right(rounded), E.right(rounded)])
      }),
      { numRuns: 50 },
    ))
  it('rejects two spellings that are not stored alike', () =>
    fc.assert(
      fc.property(storable(currency), storable(currency), (one, other) => {
        fc.pre(one !== other)
        const both = { amount: decimalFromCents(one), amountCents: `${other}` }
        expect(readPrice(both, code)).toEqual(E.left({ _tag: 'AmountsDisagree', ...both }))
      }),
      { numRuns: 20 },
    ))
})

describe('a price in an asset', () => {
  it.each([
    [amount('12.5'), 125_000_000n],
    [amount('0.0000001'), 1n],
    [amount('1e-7'), 1n],
    [amountCents('1250'), 125_000_000n],
    [amountCents('0.00001'), 1n],
    [amount('922337203685.4775807'), maximumStroops],
    [{ amount: '12.5', amountCents: '1250' }, 125_000_000n],
  ])('reads a price in an asset exactly in stroops: %j', (input, expected) =>
    expect(readAssetPrice(input)).toEqual(E.right(expected)),
  )
  it.each([
    [amount('0.00000001'), { _tag: 'TooManyDecimals', field: 'amount', decimals: 7 }],
    [amountCents('0.000001'), { _tag: 'TooManyDecimals', field: 'amountCents', decimals: 5 }],
    [amount('922337203685.4775808'), { _tag: 'TooLarge', field: 'amount', maximum: `${maximumStroops}` }],
    [amount('1e999999999'), { _tag: 'TooLarge', field: 'amount', maximum: `${maximumStroops}` }],
    [amount('0'), { _tag: 'NotPositive', field: 'amount' }],
    [{ amount: null, amountCents: null }, { _tag: 'AmountMissing' }],
  ])('rejects a price in an asset: %j', (input, rejection) => expect(readAssetPrice(input)).toEqual(E.left(rejection)))
})

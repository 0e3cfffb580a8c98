import fc from 'fast-check'
import { currencyPrice, isPositive, localAmount, stroopsFromDecimal } from './amounts.ts'

describe('amounts', () => {
  it('reads amounts exactly, with any number of zeros', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (stroops) => {
        const digits = stroops.toString().padStart(8, '0')
        const decimal = `${digits.slice(0, -7)}.${digits.slice(-7)}`
        expect(stroopsFromDecimal(decimal)).toBe(stroops)
        expect(stroopsFromDecimal(decimal.replace(/\.?0+$/, ''))).toBe(stroops)
      }),
    ))

  it.each(['', '-1', '1e3', '1.', '.5', '1.12345678', '1,000', ' 1'])('rejects %j as an amount', (text) =>
    expect(stroopsFromDecimal(text)).toBeNull(),
  )

  it.each([
    ['0', false],
    ['0.0000000', false],
    ['0.0000001', true],
    ['much', false],
  ])('counts amounts from the first stroop: %s', (amount, expected) => expect(isPositive(amount)).toBe(expected))
})

describe('an amount for a reader', () => {
  it('keeps every digit, groups none, and changes the decimal sign alone', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (stroops) => {
        const digits = stroops.toString().padStart(8, '0')
        const [whole, fraction] = [digits.slice(0, -7), digits.slice(-7)]
        expect(localAmount(',', `${whole}.${fraction} USDC`)).toBe(`${whole},${fraction} USDC`)
        expect(localAmount('.', `${whole}.${fraction}`)).toBe(`${whole}.${fraction}`)
      }),
    ))

  it.each(['5 XLM', '5', '', 'v1.5', '1.USDC'])('leaves %j as it is', (text) =>
    expect(localAmount(',', text)).toBe(text),
  )
})

describe('a price in its currency', () => {
  it.each([
    ['USD', '12.5', '$12.50'],
    ['JPY', 1200, '¥1,200'],
    ['USDC', '12.5', null],
    ['XLM', '12.5', null],
    ['USD', 'much', null],
  ])('formats a price: %s %s', (code, amount, expected) =>
    expect(currencyPrice('en', code, amount, 'XLM')).toBe(expected),
  )
})

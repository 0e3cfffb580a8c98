import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { native, usdc } from '../testing/examples.ts'
import { decimalFromStroops, formatAmount, maximumStroops, Stroops, stroops, stroopsFromDecimal } from './stroops.ts'

describe('reading a decimal amount', () => {
  it.each([
    ['0', 0n],
    ['12.5', 125_000_000n],
    ['0.0000001', 1n],
    ['7', 70_000_000n],
    ['007.50', 75_000_000n],
    ['922337203685.4775807', maximumStroops],
    [`${'0'.repeat(5000)}1`, 10_000_000n],
  ])('reads a decimal amount exactly: %s', (text, amount) => expect(stroopsFromDecimal(text)).toEqual(E.right(amount)))

  it.each(['', '.', '.5', '5.', '-1', '+1', '1e3', '1,5', '1_000', ' 1', '1 ', '0.00000001', '1.23456789', '٣', 'x'])(
    'rejects a malformed decimal amount: %j',
    (text) => expect(stroopsFromDecimal(text)).toEqual(E.left({ _tag: 'MalformedAmount', text })),
  )

  it.each(['922337203685.4775808', '922337203686', '1000000000000', '9'.repeat(5000)])(
    'rejects a decimal amount above 2^63 - 1 stroops: %#',
    (text) => expect(stroopsFromDecimal(text)).toEqual(E.left({ _tag: 'AmountOutOfRange', text })),
  )
})

const anyStroops = fc.bigInt({ min: 0n, max: maximumStroops }).map(stroops)

describe('writing an amount', () => {
  it.each([
    [0n, '0'],
    [125_000_000n, '12.5'],
    [70_000_000n, '7'],
    [1n, '0.0000001'],
    [maximumStroops, '922337203685.4775807'],
  ])('writes an amount without trailing zeros: %s', (amount, text) =>
    expect(decimalFromStroops(stroops(amount))).toBe(text),
  )

  it('reads back any amount that it wrote', () =>
    fc.assert(
      fc.property(anyStroops, (amount) => {
        expect(stroopsFromDecimal(decimalFromStroops(amount))).toEqual(E.right(amount))
      }),
    ))

  it('names the asset by its code', () => expect(formatAmount(stroops(125_000_000n), usdc)).toBe('12.5 USDC'))
  it('names the native asset XLM', () => expect(formatAmount(stroops(1n), native)).toBe('0.0000001 XLM'))
})

describe('stroops on the wire', () => {
  it('writes stroops as digits for any amount', () =>
    fc.assert(
      fc.property(anyStroops, (amount) => {
        expect(Stroops.encode(amount)).toBe(amount.toString())
        expect(Stroops.decode(Stroops.encode(amount))).toEqual(E.right(amount))
      }),
    ))
  it.each([5, 5n, null, '', '-1', '01', '1.0', '1e3', '9223372036854775808', '0x10'])(
    'rejects %p as stroops on the wire',
    (input) => expect(E.isLeft(Stroops.decode(input))).toBe(true),
  )
  it('throws when a sum leaves the range of stroops', () => {
    expect(() => stroops(maximumStroops + 1n)).toThrow(RangeError)
    expect(() => stroops(-1n)).toThrow(RangeError)
  })
})

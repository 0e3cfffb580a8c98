import { cents, unixMs } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { agreeing, currency, eurc, request, usdc, wednesday, xlm } from '../testing/rates.ts'
import { agreedQuote, type QuoteRequest, quoteAmount, quotedPairs } from './quote.ts'
import { rational } from './rational.ts'

const quote = (changed: Partial<QuoteRequest>) => quoteAmount({ ...request, ...changed }).quote

const amountOf = (changed: Partial<QuoteRequest>): bigint => {
  const quoted = quote(changed)
  if (E.isLeft(quoted)) throw new Error(quoted.left._tag)
  return quoted.right.amount
}

describe('quoting a price', () => {
  it('needs one leg from USD to XLM', () => {
    const observations = agreeing('XLM/USD', ['0.25', '0.25'])
    expect(quote({ observations })).toEqual(
      E.right({ amount: 400_000_000n, pegged: false, excessFloor: 4_000_000n, rates: observations }),
    )
  })
  it('converts other currencies over USD', () => {
    const observations = [...agreeing('USD/JPY', ['150', '150']), ...agreeing('XLM/USD', ['0.25', '0.25'])]
    expect(quote({ cents: cents(150_000n), currency: currency('JPY'), observations })).toEqual(
      E.right({ amount: 400_000_000n, pegged: false, excessFloor: 4_000_000n, rates: observations }),
    )
  })
  it('uses the observed rate of USDC, and marks the asset as pegged', () => {
    const observations = agreeing('USDC/USD', ['0.999', '0.999'])
    expect(quote({ asset: usdc, observations })).toEqual(
      E.right({ amount: 100_100_101n, pegged: true, excessFloor: 1_001_001n, rates: observations }),
    )
  })
  it.each([
    ['USD', xlm, ['XLM/USD']],
    ['USD', usdc, ['USDC/USD']],
    ['JPY', xlm, ['USD/JPY', 'XLM/USD']],
    ['USD', eurc, ['USD/EUR', 'EURC/USD']],
    ['EUR', eurc, ['USD/EUR', 'EURC/USD']],
    ['JPY', eurc, ['USD/JPY', 'USD/EUR', 'EURC/USD']],
  ])('in %s needs these pairs', (code, asset, pairs) =>
    expect(quotedPairs({ ...request, currency: currency(code), asset })).toEqual(pairs),
  )
  it('rounds the amount up and the floor of an excess down, once', () => {
    const observations = agreeing('XLM/USD', ['0.3', '0.3'])
    expect(quote({ cents: cents(1n), observations })).toEqual(
      E.right({ amount: 333_334n, pegged: false, excessFloor: 3_333_333n, rates: observations }),
    )
  })
  it('costs at least a stroop', () =>
    expect(amountOf({ cents: cents(1n), observations: agreeing('XLM/USD', ['9'.repeat(40), '9'.repeat(40)]) })).toBe(
      1n,
    ))
  it.each([
    [
      'the largest amount there is',
      '0.00001',
      922_337_203n,
      E.right(expect.objectContaining({ amount: 9_223_372_030_000_000_000n })),
    ],
    ['a cent more', '0.00001', 922_337_204n, E.left({ _tag: 'AmountTooLarge' })],
    ['an excess floor beyond it', `0.${'0'.repeat(30)}1`, 0n, E.left({ _tag: 'AmountTooLarge' })],
  ])('knows %s', (_, rate, price, outcome) =>
    expect(quote({ cents: cents(price), observations: agreeing('XLM/USD', [rate, rate]) })).toEqual(outcome),
  )
})

describe('a peg', () => {
  const pegged = (rate: string) => quote({ asset: usdc, observations: agreeing('USDC/USD', [rate, rate]) })
  it.each(['0.99', '1', '1.01'])('holds at %s USD', (rate) => expect(E.isRight(pegged(rate))).toBe(true))
  it.each(['0.9899999', '1.0100001', '0.5'])('is broken at %s USD', (rate) =>
    expect(pegged(rate)).toEqual(
      E.left({ _tag: 'RateUnavailable', pair: 'USDC/USD', reason: 'PegBroken', peg: 'USD' }),
    ),
  )
  const euro = (perEurc: string) =>
    quote({
      asset: eurc,
      observations: [...agreeing('USD/EUR', ['0.8', '0.8']), ...agreeing('EURC/USD', [perEurc, perEurc])],
    })
  it.each(['1.2375', '1.25', '1.2625'])('to EUR holds at %s USD when a EUR is 1.25 USD', (rate) =>
    expect(E.isRight(euro(rate))).toBe(true),
  )
  it.each(['1.2374', '1.2626', '1'])('to EUR is broken at %s USD when a EUR is 1.25 USD', (rate) =>
    expect(euro(rate)).toEqual(E.left({ _tag: 'RateUnavailable', pair: 'EURC/USD', reason: 'PegBroken', peg: 'EUR' })),
  )
  it('leaves no quote where its currency has no rate', () =>
    expect(quote({ asset: eurc, observations: agreeing('EURC/USD', ['1.08', '1.08']) })).toEqual(
      E.left({ _tag: 'RateUnavailable', pair: 'USD/EUR', reason: 'TooFewSources', rejected: [] }),
    ))
})

describe('an asset at par with its currency', () => {
  const atPar = (peg: string) => ({ ...usdc, peg: currency(peg), isAtPar: true as const })
  it.each([
    ['USD', 'USD', []],
    ['EUR', 'EUR', []],
    ['JPY', 'USD', ['USD/JPY']],
    ['JPY', 'EUR', ['USD/JPY', 'USD/EUR']],
    ['USD', 'EUR', ['USD/EUR']],
  ])('needs these rates for %s where it is pegged to %s', (code, peg, pairs) =>
    expect(quotedPairs({ ...request, currency: currency(code), asset: atPar(peg) })).toEqual(pairs),
  )
  it('costs its price in that currency without any rate, with a floor for excess in dollars only', () => {
    const quoted = { amount: 100_000_000n, pegged: true, rates: [] }
    expect(quote({ asset: atPar('USD') })).toEqual(E.right({ ...quoted, excessFloor: 1_000_000n }))
    expect(quote({ asset: atPar('EUR'), currency: currency('EUR') })).toEqual(E.right({ ...quoted, excessFloor: null }))
  })
  it('costs a price in another currency through its peg, rounded up', () => {
    const observations = [...agreeing('USD/JPY', ['150', '150']), ...agreeing('USD/EUR', ['0.8', '0.8'])]
    const inYen = { cents: cents(100_000n), currency: currency('JPY'), observations }
    // 1,000 JPY are 6.666… USD, and 5.333… EUR.
    expect(quote({ ...inYen, asset: atPar('USD') })).toMatchObject(
      E.right({ amount: 66_666_667n, excessFloor: 1_000_000n }),
    )
    expect(quote({ ...inYen, asset: atPar('EUR') })).toMatchObject(
      E.right({ amount: 53_333_334n, excessFloor: 800_000n }),
    )
  })
  it('has no quote in another currency without its rate', () =>
    expect(quote({ asset: atPar('EUR') })).toEqual(
      E.left({ _tag: 'RateUnavailable', pair: 'USD/EUR', reason: 'TooFewSources', rejected: [] }),
    ))
})

describe('the memory of rates', () => {
  const at = (rate: string, seconds: number, memory: QuoteRequest['memory']) => {
    const now = unixMs(wednesday + seconds * 1000)
    return quoteAmount({ ...request, now, memory, observations: agreeing('XLM/USD', [rate, rate], now) })
  }
  it('accepts a jump once two later observations, a minute apart, confirm it', () => {
    const first = at('0.25', 0, new Map())
    const jump = at('0.3', 10, first.memory)
    const later = at('0.3', 20, jump.memory)
    const confirmed = at('0.3', 80, later.memory)
    const waiting = E.left({
      _tag: 'RateUnavailable',
      pair: 'XLM/USD',
      reason: 'JumpUnconfirmed',
      accepted: '0.25',
      observed: '0.3',
    })
    expect([jump.quote, later.quote]).toEqual([waiting, waiting])
    expect(confirmed.quote).toEqual(E.right(expect.objectContaining({ amount: 333_333_334n })))
  })
  it("remembers a leg's jump while another leg fails", () => {
    const memory = new Map([['XLM/USD', { accepted: rational(1n, 4n), jump: null }]])
    const observations = agreeing('XLM/USD', ['0.3', '0.3'])
    const failed = quoteAmount({ ...request, currency: currency('JPY'), memory, observations })
    expect(failed.quote).toEqual(
      E.left({ _tag: 'RateUnavailable', pair: 'USD/JPY', reason: 'TooFewSources', rejected: [] }),
    )
    expect(failed.memory.get('XLM/USD')?.jump).not.toBeNull()
  })
})

describe('a quoted amount', () => {
  const rate = fc
    .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }))
    .map(([digits, places]) => (digits / 10 ** places).toFixed(9))
    .filter((text) => Number(text) > 0)
  const price = fc.bigInt({ min: 1n, max: 10n ** 9n })
  const observations = (perUsd: string, usd: string) => [
    ...agreeing('USD/JPY', [perUsd, perUsd]),
    ...agreeing('XLM/USD', [usd, usd]),
  ]
  const inJpy = { currency: currency('JPY') }
  /** A decimal of nine places, as a whole number of its last place. */
  const whole = (text: string): bigint => BigInt(text.replace('.', ''))

  it('is at least the price, and less than a stroop above it', () =>
    fc.assert(
      fc.property(price, rate, rate, (amount, perUsd, usd) => {
        const quoted = quote({ ...inJpy, cents: cents(amount), observations: observations(perUsd, usd) })
        if (E.isLeft(quoted)) return expect(quoted.left._tag).toBe('AmountTooLarge')
        const worth = (stroops: bigint): bigint => stroops * whole(perUsd) * whole(usd)
        const owed = amount * 10n ** 23n
        expect(worth(quoted.right.amount)).toBeGreaterThanOrEqual(owed)
        expect(worth(quoted.right.amount - 1n)).toBeLessThan(owed)
      }),
    ))
  it('never falls when the price rises', () =>
    fc.assert(
      fc.property(
        price,
        price,
        fc.constantFrom('149.5', '0.37', '1452'),
        fc.constantFrom('0.25', '0.0713', '3'),
        (one, other, perUsd, usd) => {
          const [low, high] = one < other ? [one, other] : [other, one]
          const amount = (value: bigint) =>
            amountOf({ ...inJpy, cents: cents(value), observations: observations(perUsd, usd) })
          expect(amount(low)).toBeLessThanOrEqual(amount(high))
        },
      ),
    ))
  it('is the same for ten times the price in a currency of a tenth of the value', () =>
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 10 ** 6 }), (value, perUsd) => {
        const amount = (factor: number) =>
          amountOf({
            ...inJpy,
            cents: cents(value * BigInt(factor)),
            observations: observations(`${perUsd * factor}`, '0.25'),
          })
        expect(amount(10)).toBe(amount(1))
      }),
    ))
  it('does not depend on the order of sources', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray(['0.25', '0.251', '0.252', '0.9'], { minLength: 4 }), (rates) => {
        const named = agreeing('XLM/USD', ['0.25', '0.251', '0.252', '0.9'])
        const shuffled = rates.flatMap((each) => named.filter((observation) => observation.rate === each))
        expect(amountOf({ observations: shuffled })).toBe(amountOf({ observations: named }))
      }),
    ))
})

describe('the last agreed rates', () => {
  /** What is remembered once these rates were observed, whether they made a quote or not. */
  const remembered = (asset: QuoteRequest['asset'], pairs: Readonly<Record<string, string>>, later = 0) => {
    const observations = Object.entries(pairs).flatMap(([pair, rate]) =>
      agreeing(pair, [rate, rate], unixMs(wednesday + later)),
    )
    return (memory: QuoteRequest['memory']) =>
      quoteAmount({ ...request, asset, observations, memory, now: unixMs(wednesday + later) }).memory
  }
  const agreed = (asset: QuoteRequest['asset'], memory: QuoteRequest['memory'], code = 'USD') =>
    agreedQuote({ ...request, currency: currency(code), asset, memory })
  const none = new Map()

  it('price a pegged asset without any source, by the rate that made the last quote', () => {
    const memory = remembered(usdc, { 'USDC/USD': '0.999' })(none)
    expect(agreed(usdc, memory)).toEqual(
      O.some({ amount: 100_100_101n, rates: [{ pair: 'USDC/USD', rate: expect.stringMatching(/^0\.999/) }] }),
    )
    expect(agreed({ ...usdc, peg: currency('USD'), isAtPar: true }, none)).toEqual(
      O.some({ amount: 100_000_000n, rates: [] }),
    )
  })
  it.each<[string, QuoteRequest['asset'], Readonly<Record<string, string>>]>([
    ['an asset without a peg', xlm, { 'XLM/USD': '0.25' }],
    ['an asset that was off its peg at last', usdc, { 'USDC/USD': '0.985' }],
    ['a leg that never had a rate', eurc, { 'EURC/USD': '1.08' }],
  ])('price nothing for %s', (_, asset, pairs) => expect(agreed(asset, remembered(asset, pairs)(none))).toEqual(O.none))
  it('price nothing while a jump waits to be confirmed', () => {
    const before = remembered(usdc, { 'USDC/USD': '1' })(none)
    const after = remembered(usdc, { 'USDC/USD': '0.8' }, 60_000)(before)
    expect([agreed(usdc, before), agreed(usdc, after)]).toEqual([O.some(expect.anything()), O.none])
  })
})

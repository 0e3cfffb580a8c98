import { hourMs, minuteMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { agreeing, eurc, observed, usdc, wednesday, xlm } from '../testing/rates.ts'
import { assetLeg, fiatLeg, type Leg, legRate } from './leg.ts'
import { MAJOR_CURRENCIES } from './quote.ts'
import { decimalFromRational } from './rational.ts'
import type { ObservationRejection, RateObservation } from './source.ts'

const xlmLeg = assetLeg(xlm)

const rateOf = (leg: Leg, observations: ReadonlyArray<RateObservation>, now = wednesday) =>
  E.map(({ rate }: { rate: Parameters<typeof decimalFromRational>[0] }) => decimalFromRational(rate))(
    legRate(leg, observations, now),
  )

const tooFew = (leg: Leg, ...rejected: ReadonlyArray<[RateObservation, ObservationRejection]>) =>
  E.left({
    _tag: 'RateUnavailable',
    pair: leg.pair,
    reason: 'TooFewSources',
    rejected: rejected.map(([observation, reason]) => ({ observation, reason })),
  })

describe('the rate of a leg', () => {
  it('is the median of its sources, with the counted and rejected observations and the oldest time', () => {
    const observations = [
      observed('XLM/USD', '0.25', 'a'),
      observed('XLM/USD', '0.251', 'b', unixMs(wednesday - 1000)),
      observed('XLM/USD', '0.252', 'c'),
      observed('XLM/USD', '0.26', 'd'),
      observed('BTC/USD', '100000', 'e'),
    ]
    const rate = legRate(xlmLeg, observations, wednesday)
    expect(rate).toEqual(
      E.right({
        rate: expect.anything(),
        observations: observations.slice(0, 3),
        rejected: [{ observation: observations[3], reason: 'Outlier' }],
        observedAt: wednesday - 1000,
      }),
    )
    expect(rateOf(xlmLeg, observations)).toEqual(E.right('0.251'))
  })
  it('is the mean of two sources', () =>
    expect(rateOf(xlmLeg, agreeing('XLM/USD', ['0.25', '0.251']))).toEqual(E.right('0.2505')))
  it('is unknown without sources', () => expect(rateOf(xlmLeg, [])).toEqual(tooFew(xlmLeg)))
  it('is unknown with one source', () => expect(rateOf(xlmLeg, agreeing('XLM/USD', ['0.25']))).toEqual(tooFew(xlmLeg)))
  it('is unknown with two observations of one source', () =>
    expect(rateOf(xlmLeg, [observed('XLM/USD', '0.25'), observed('XLM/USD', '0.25')])).toEqual(tooFew(xlmLeg)))
  it('counts the newest observation of each source', () =>
    expect(
      rateOf(xlmLeg, [
        observed('XLM/USD', '0.25', 'a'),
        observed('XLM/USD', '0.9', 'a', unixMs(wednesday - 1)),
        observed('XLM/USD', '0.9', 'b', unixMs(wednesday - 1)),
        observed('XLM/USD', '0.25', 'b'),
      ]),
    ).toEqual(E.right('0.25')))
  it.each<[string, ObservationRejection]>([
    ['0', 'NotPositive'],
    ['-0.25', 'NotPositive'],
    ['quarter', 'Malformed'],
    ['1e-1', 'Malformed'],
  ])('does not count %s: %s', (rate, reason) => {
    const bad = observed('XLM/USD', rate, 'b')
    expect(rateOf(xlmLeg, [observed('XLM/USD', '0.25', 'a'), bad])).toEqual(tooFew(xlmLeg, [bad, reason]))
    expect(rateOf(xlmLeg, [...agreeing('XLM/USD', ['0.25']), bad, observed('XLM/USD', '0.25', 'c')])).toEqual(
      E.right('0.25'),
    )
  })
})

describe('observations that disagree', () => {
  const eur = fiatLeg('EUR', MAJOR_CURRENCIES)
  const uyu = fiatLeg('UYU', MAJOR_CURRENCIES)
  it.each<[string, Leg, string, boolean]>([
    ['an asset, 2 %', xlmLeg, '102', true],
    ['an asset, a little more', xlmLeg, '102.0001', false],
    ['an asset, 2 % below', xlmLeg, '98', true],
    ['an asset, a little more below', xlmLeg, '97.9999', false],
    ['a pegged asset, 2 %', assetLeg(usdc), '102', true],
    ['a pegged asset, a little more', assetLeg(usdc), '102.0001', false],
    ['a major currency, 2 %', eur, '102', true],
    ['a major currency, a little more', eur, '102.0001', false],
    ['another currency, 5 %', uyu, '105', true],
    ['another currency, a little more', uyu, '105.0001', false],
  ])('%s from the median', (_, leg, rate, counts) => {
    const others = agreeing(leg.pair, ['100', '100'])
    const far = observed(leg.pair, rate, 'c')
    const used = E.map(({ observations }: { observations: unknown }) => observations)(
      legRate(leg, [...others, far], wednesday),
    )
    expect(used).toEqual(E.right(counts ? [...others, far] : others))
  })
  it('leave no rate when there are only two, too far apart', () => {
    const [low, high] = [observed('XLM/USD', '97', 'a'), observed('XLM/USD', '103', 'b')]
    expect(rateOf(xlmLeg, [low, high])).toEqual(tooFew(xlmLeg, [low, 'Outlier'], [high, 'Outlier']))
  })
})

describe('observations that are old', () => {
  const friday = unixMs(Date.UTC(2026, 10, 6, 12))
  const monday = unixMs(Date.UTC(2026, 10, 9, 12))
  const uyu = fiatLeg('UYU', MAJOR_CURRENCIES)
  it.each<[string, Leg, number, number, boolean]>([
    ['XLM 2 minutes', xlmLeg, wednesday, 2 * minuteMs, true],
    ['XLM later', xlmLeg, wednesday, 2 * minuteMs + 1, false],
    ['a pegged asset 15 minutes', assetLeg(eurc), wednesday, 15 * minuteMs, true],
    ['a pegged asset later', assetLeg(eurc), wednesday, 15 * minuteMs + 1, false],
    ['fiat 36 hours within the week', uyu, friday, 36 * hourMs, true],
    ['fiat later within the week', uyu, friday, 36 * hourMs + 1, false],
    ['fiat 72 hours over a weekend', uyu, monday, 72 * hourMs, true],
    ['fiat later over a weekend', uyu, monday, 72 * hourMs + 1, false],
    ['fiat from Friday noon, asked on Sunday morning', uyu, Date.UTC(2026, 10, 8, 6), 42 * hourMs, true],
    ['fiat from the last moment of Sunday, 37 hours', uyu, Date.UTC(2026, 10, 10, 12, 59, 59, 999), 37 * hourMs, true],
    ['fiat from the first moment of Monday, 37 hours', uyu, Date.UTC(2026, 10, 10, 13), 37 * hourMs, false],
    ['XLM 2 minutes ahead', xlmLeg, wednesday, -2 * minuteMs, true],
    ['XLM further ahead', xlmLeg, wednesday, -2 * minuteMs - 1, false],
    ['fiat further ahead within the week', uyu, wednesday, -36 * hourMs - 1, false],
  ])('%s: counts %p', (_, leg, now, ageMs, counts) => {
    const observations = agreeing(leg.pair, ['1', '1'], unixMs(now - ageMs))
    const [first, second] = observations
    if (first === undefined || second === undefined) throw new Error('two were made')
    expect(rateOf(leg, observations, unixMs(now))).toEqual(
      counts ? E.right('1') : tooFew(leg, [first, 'Stale'], [second, 'Stale']),
    )
  })
})

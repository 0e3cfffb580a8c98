import * as fc from 'fast-check'
import { int64Max } from '../ledger/accounts.ts'
import { liabilitiesAt, type Rounding, tradableAmount, tradeAt } from './arithmetic.ts'

const part = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2_147_483_647 })).map(BigInt)
const price = fc.record({ n: part, d: part })
const amount = fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, int64Max))
const limits = fc.record({ offerSells: amount, offerIsPaid: amount, takerBuys: amount, takerPays: amount })
const rounding = fc.constantFrom<Rounding>('normal', 'strictReceive', 'strictSend')

/** Core's step before every trade: the offer's amount is reduced to what could be bought of it. */
const adjusted = (at: { n: bigint; d: bigint }, each: { offerSells: bigint; offerIsPaid: bigint }) =>
  tradableAmount(at, each)

describe('a trade with one offer', () => {
  it('a trade never exceeds what either side can sell, buy or pay', () =>
    fc.assert(
      fc.property(price, limits, rounding, (at, all, rounded) => {
        const { bought, paid } = tradeAt(at, all, rounded)
        const { offerSells, offerIsPaid, takerBuys, takerPays } = all
        expect(bought >= 0n && bought <= offerSells && bought <= takerBuys).toBe(true)
        expect(paid >= 0n && paid <= offerIsPaid && paid <= takerPays).toBe(true)
      }),
    ))

  it('a trade pays an offer that stays at least its price', () =>
    fc.assert(
      fc.property(price, limits, rounding, (at, all, rounded) => {
        const { bought, paid, offerStays } = tradeAt(at, all, rounded)
        if (offerStays) expect(paid * at.d >= bought * at.n).toBe(true)
      }),
    ))

  it('a trade pays a used-up offer at most 1 % less than its price, and the taker never overpays it', () =>
    fc.assert(
      fc.property(price, limits, rounding, (at, all, rounded) => {
        const offerSells = adjusted(at, all)
        if (offerSells === 0n) return
        const { bought, paid, offerStays } = tradeAt(at, { ...all, offerSells }, rounded)
        if (offerStays) return
        expect(paid * at.d <= bought * at.n).toBe(true)
        expect(100n * paid * at.d >= 99n * bought * at.n).toBe(true)
      }),
    ))

  it('outside path payments, a trade is within 1 % of the price or does not happen', () =>
    fc.assert(
      fc.property(price, limits, (at, all) => {
        const { bought, paid } = tradeAt(at, all, 'normal')
        const difference = paid * at.d - bought * at.n
        expect(100n * (difference < 0n ? -difference : difference) <= bought * at.n).toBe(true)
        expect(bought === 0n).toBe(paid === 0n)
      }),
    ))

  it('a path payment buys exactly the missing amount, or pays exactly the remaining one, if the offer is large enough', () =>
    fc.assert(
      fc.property(price, limits, (at, all) => {
        const received = tradeAt(at, { ...all, takerPays: int64Max }, 'strictReceive')
        const isBounded = all.takerBuys * at.n <= int64Max * at.d
        if (received.offerStays && isBounded) expect(received.bought).toBe(all.takerBuys)
        const sent = tradeAt(at, { ...all, takerBuys: int64Max }, 'strictSend')
        const isSmall = all.takerPays * at.d <= int64Max * at.n
        if (sent.offerStays && isSmall) expect(sent.paid).toBe(all.takerPays)
      }),
    ))

  it.each([
    ['strictReceive', 2n, 3n, { offerSells: 150n, takerBuys: 101n, takerPays: int64Max }, [101n, 68n, true]],
    ['normal', 2n, 3n, { offerSells: 150n, takerBuys: 101n, takerPays: int64Max }, [100n, 67n, true]],
    ['normal', 3n, 2n, { offerSells: 150n, takerBuys: 101n, takerPays: int64Max }, [101n, 152n, true]],
    ['normal', 3n, 2n, { offerSells: 101n, takerBuys: 150n, takerPays: int64Max }, [101n, 151n, false]],
    ['normal', 3n, 2n, { offerSells: 1n, takerBuys: 150n, takerPays: int64Max }, [0n, 0n, false]],
    ['strictSend', 1_000n, 1n, { offerSells: 5n, takerBuys: int64Max, takerPays: 10n }, [0n, 10n, true]],
  ] as const)(
    'rounds %s at %s/%s for whoever stays in the book',
    (rounded, n, d, given, [bought, paid, offerStays]) => {
      const trade = tradeAt({ n, d }, { offerIsPaid: int64Max, ...given }, rounded)
      expect(trade).toEqual({ bought, paid, offerStays })
    },
  )
})

describe('an offer in the book', () => {
  it("adjusting an offer's amount again does not change it", () =>
    fc.assert(
      fc.property(price, limits, (at, all) => {
        const once = adjusted(at, all)
        expect(adjusted(at, { ...all, offerSells: once })).toBe(once)
      }),
    ))

  it("an offer's liabilities cover all it can sell and be paid, and fit its owner's holdings", () =>
    fc.assert(
      fc.property(price, limits, (at, all) => {
        const offerSells = adjusted(at, all)
        if (offerSells === 0n) return
        const { selling, buying } = liabilitiesAt(at, { offerSells })
        expect(selling).toBe(offerSells)
        expect(buying <= all.offerIsPaid).toBe(true)
      }),
    ))
})

import type { xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { int64Max } from '../ledger/accounts.ts'
import { draftOn, type LedgerDraft } from '../ledger/draft.ts'
import {
  ann,
  assets,
  ben,
  cho,
  copper,
  dan,
  gold,
  held,
  market,
  receive,
  run,
  sell,
  silver,
  xlm,
} from '../testing/market.ts'
import { findPaths } from './paths.ts'

const ledger = { sequence: 3, closeTime: 0n }
const pairs = assets.flatMap((selling) =>
  assets.filter((each) => each !== selling).map((buying) => ({ selling, buying })),
)

const offer = fc.record({
  seller: fc.constantFrom(cho, dan),
  pair: fc.constantFrom(...pairs),
  amount: fc.bigInt(1n, 400n),
  price: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
})
const books = fc.array(offer, { minLength: 3, maxLength: 25 })

const withOffers = (offers: typeof books extends fc.Arbitrary<infer A> ? A : never): LedgerDraft => {
  const draft = market()
  for (const { seller, pair, amount, price } of offers) run(draft, seller, sell({ ...pair, amount, price }))
  return draft
}

/** The cost of ann's payment to ben along a path, if it succeeds. */
const costOf = (
  draft: LedgerDraft,
  sendAsset: xdr.Asset,
  destAsset: xdr.Asset,
  path: ReadonlyArray<xdr.Asset>,
  amount: bigint,
) => {
  const own = draftOn(draft, ledger)
  const paid = run(own, ann, receive({ to: ben, sendAsset, destAsset, path }, amount, int64Max))
  return E.isRight(paid) ? held(draft, ann, sendAsset) - held(own, ann, sendAsset) : undefined
}

/** Every path without a repeated asset and with at most two assets between. */
const allPaths = (sendAsset: xdr.Asset, destAsset: xdr.Asset): ReadonlyArray<ReadonlyArray<xdr.Asset>> => {
  const between = assets.filter((each) => each !== sendAsset && each !== destAsset)
  const twos = between.flatMap((one) => between.filter((each) => each !== one).map((other) => [one, other]))
  return [[], ...between.map((each) => [each]), ...twos]
}

describe('looking for paths', () => {
  it('finds the cheapest path for each asset, exact to the stroop', () =>
    fc.assert(
      fc.property(books, fc.bigInt(1n, 300n), (offers, destAmount) => {
        const draft = withOffers(offers)
        const sendAssets = [xlm, gold, silver]
        const found = findPaths(draft, { destAsset: copper, destAmount, sendAssets, payer: ann })
        const expected = sendAssets.flatMap((sendAsset) => {
          const costs = allPaths(sendAsset, copper).flatMap(
            (path) => costOf(draft, sendAsset, copper, path, destAmount) ?? [],
          )
          const [first, ...others] = costs
          return first === undefined ? [] : [others.reduce((least, cost) => (cost < least ? cost : least), first)]
        })
        expect(found.map(({ sendAmount }) => sendAmount)).toEqual(expected)
        for (const { sendAsset, path, sendAmount } of found)
          expect(costOf(draft, sendAsset, copper, path, destAmount)).toBe(sendAmount)
      }),
      { numRuns: 60 },
    ))

  it('answers the assets between, and prefers a cheaper detour', () => {
    const draft = market()
    run(draft, cho, sell({ selling: gold, buying: xlm, amount: 100n, price: [5, 1] }))
    run(draft, cho, sell({ selling: gold, buying: silver, amount: 100n, price: [2, 1] }))
    run(draft, dan, sell({ selling: silver, buying: xlm, amount: 100n, price: [2, 1] }))
    const query = { destAsset: gold, destAmount: 10n, sendAssets: [copper, xlm, gold] }
    expect(findPaths(draft, query)).toEqual([
      { sendAsset: xlm, sendAmount: 40n, path: [silver] },
      { sendAsset: gold, sendAmount: 10n, path: [] },
    ])
    expect(findPaths(draft, { ...query, payer: dan })).toEqual([
      { sendAsset: xlm, sendAmount: 50n, path: [] },
      { sendAsset: gold, sendAmount: 10n, path: [] },
    ])
  })

  it('searching for paths does not change the ledger', () => {
    const draft = withOffers([])
    run(draft, cho, sell({ selling: gold, buying: xlm, amount: 100n, price: [5, 1] }))
    const before = draft.changes().map((each) => each.toXdr('hex'))
    findPaths(draft, { destAsset: gold, destAmount: 10n, sendAssets: [xlm] })
    expect(draft.changes().map((each) => each.toXdr('hex'))).toEqual(before)
  })
})

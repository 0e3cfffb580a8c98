import { xdr } from '@stellar/stellar-sdk'
import { removeOffersIn } from '../exchange/offers.ts'
import { extensionOf } from '../ledger/account-extension.ts'
import { int64Max, requireAccount, saveAccount } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { trustlineKey } from '../ledger/entry-keys.ts'
import {
  ann,
  ben,
  buy,
  cho,
  gold,
  goldIssuer,
  held,
  market,
  nameOf,
  offersIn,
  putLine,
  run,
  sell,
  sellPassively,
  silver,
  startBalance,
  xlm,
} from '../testing/market.ts'

let draft: LedgerDraft
beforeEach(() => {
  draft = market()
})

const outcome = (source: xdr.PublicKey, body: xdr.OperationBody): string => nameOf(run(draft, source, body))
const setBalance = (balance: bigint) => saveAccount(draft, requireAccount(draft, ann), { balance })
const closeLine = (asset: xdr.Asset) => {
  const issued = issuedAsset(asset)
  if (issued !== undefined) draft.remove(trustlineKey(ann, issued))
}
const book = () => offersIn(draft).map(({ offerId, amount, flags }) => ({ offerId, amount, flags }))

/** Offers that sell gold for XLM, and XLM for gold. */
const asks = { selling: gold, buying: xlm, amount: 100n, price: [2, 1] as const }
const bids = { selling: xlm, buying: gold, amount: 200n, price: [1, 2] as const }

describe('an offer', () => {
  it('an unmatched offer enters the book as a subentry and locks its liabilities', () => {
    const result = run(draft, ann, sell(asks))
    expect(nameOf(result)).toBe('manageSellOfferSuccess')
    expect(book()).toEqual([{ offerId: 1n, amount: 100n, flags: 0 }])
    const account = requireAccount(draft, ann)
    expect(account.numSubEntries).toBe(4)
    expect(extensionOf(account).liabilities).toEqual(new xdr.Liabilities({ buying: 200n, selling: 0n }))
  })

  it('an offer takes matching offers at their price and leaves the rest in the book', () => {
    run(draft, ann, sell({ ...asks, amount: 30n }))
    run(draft, ben, sell({ ...asks, amount: 30n, price: [3, 2] }))
    expect(outcome(cho, sell(bids))).toBe('manageSellOfferSuccess')
    expect(held(draft, cho, gold)).toBe(startBalance + 60n)
    expect(held(draft, cho, xlm)).toBe(startBalance - 45n - 60n)
    expect(book()).toEqual([{ offerId: 3n, amount: 94n, flags: 0 }])
  })

  it('an offer takes the cheaper offer first, and the older of equals', () => {
    for (const source of [ann, ben]) run(draft, source, sell({ ...asks, amount: 10n }))
    expect(outcome(cho, sell({ ...bids, amount: 30n }))).toBe('manageSellOfferSuccess')
    expect(held(draft, ann, gold)).toBe(startBalance - 10n)
    expect(held(draft, ben, gold)).toBe(startBalance - 5n)
  })

  it('changing or withdrawing an offer by its id releases its liabilities', () => {
    run(draft, ann, sell(asks))
    expect(outcome(ann, sell({ ...asks, amount: 40n, offerId: 1n }))).toBe('manageSellOfferSuccess')
    expect(book()).toEqual([{ offerId: 1n, amount: 40n, flags: 0 }])
    expect(extensionOf(requireAccount(draft, ann)).liabilities.buying).toBe(80n)
    expect(outcome(ann, sell({ ...asks, amount: 0n, offerId: 1n }))).toBe('manageSellOfferSuccess')
    expect(book()).toEqual([])
    expect(requireAccount(draft, ann).numSubEntries).toBe(3)
    expect(extensionOf(requireAccount(draft, ann)).liabilities.buying).toBe(0n)
  })

  it('a changed offer can sell what its earlier form had locked', () => {
    run(draft, ann, sell({ ...asks, amount: startBalance }))
    expect(outcome(ann, sell({ ...asks, amount: 1n }))).toBe('manageSellOfferUnderfunded')
    expect(outcome(ann, sell({ ...asks, amount: startBalance, price: [3, 1], offerId: 1n }))).toBe(
      'manageSellOfferSuccess',
    )
  })

  it('a buy offer buys its amount for at most its price', () => {
    run(draft, ann, sell(asks))
    expect(outcome(ben, buy({ ...bids, amount: 60n, price: [5, 2] }))).toBe('manageBuyOfferSuccess')
    expect(held(draft, ben, gold)).toBe(startBalance + 60n)
    expect(held(draft, ben, xlm)).toBe(startBalance - 120n)
    expect(book()).toEqual([{ offerId: 1n, amount: 40n, flags: 0 }])
  })

  it('a passive offer leaves offers of exactly its price and takes cheaper ones', () => {
    run(draft, ann, sell(asks))
    expect(outcome(ben, sellPassively(bids))).toBe('manageSellOfferSuccess')
    expect(book()).toEqual([
      { offerId: 1n, amount: 100n, flags: 0 },
      { offerId: 2n, amount: 200n, flags: 1 },
    ])
    run(draft, cho, sell({ ...asks, price: [19, 10] }))
    expect(held(draft, cho, gold)).toBe(startBalance - 100n)
  })

  it('offer ids are unique, and an offer that is filled at once gets none', () => {
    run(draft, ann, sell(asks))
    run(draft, ben, sell({ ...bids, amount: 10n }))
    run(draft, ben, sell({ ...asks, price: [3, 1] }))
    expect(offersIn(draft).map(({ offerId }) => offerId)).toEqual([1n, 2n])
  })

  it("revoking authorization removes the holder's offers in that asset and no others", () => {
    run(draft, ann, sell(asks))
    run(draft, ann, sell({ selling: silver, buying: gold, amount: 5n, price: [1, 1] }))
    run(draft, ann, sell({ selling: silver, buying: xlm, amount: 7n, price: [1, 1] }))
    run(draft, ben, sell(asks))
    removeOffersIn(draft, ann, gold)
    expect(book()).toEqual([
      { offerId: 3n, amount: 7n, flags: 0 },
      { offerId: 4n, amount: 100n, flags: 0 },
    ])
    expect(requireAccount(draft, ann).numSubEntries).toBe(4)
    expect(extensionOf(requireAccount(draft, ann)).liabilities.buying).toBe(7n)
  })

  it("an issuer's offer sells newly issued units", () => {
    expect(outcome(goldIssuer, sell({ ...asks, amount: int64Max / 4n }))).toBe('manageSellOfferSuccess')
    run(draft, ben, sell(bids))
    expect(held(draft, ben, gold)).toBe(startBalance + 100n)
  })
})

describe('an offer is refused', () => {
  const unknown = { selling: gold, buying: silver, amount: 1n, price: [1, 1] as const }
  const refusals: ReadonlyArray<readonly [string, string, () => void, xdr.OperationBody]> = [
    ['sells what it buys', 'Malformed', () => {}, sell({ ...asks, buying: gold })],
    ['has a negative amount', 'Malformed', () => {}, sell({ ...asks, amount: -1n })],
    ['has no price', 'Malformed', () => {}, sell({ ...asks, price: [0, 1] })],
    ['is new and has amount zero', 'Malformed', () => {}, sell({ ...asks, amount: 0n })],
    ['has a negative id', 'Malformed', () => {}, sell({ ...asks, offerId: -1n })],
    ['is unknown', 'NotFound', () => {}, sell({ ...asks, offerId: 7n })],
    ['sells without a trustline', 'SellNoTrust', () => closeLine(gold), sell(unknown)],
    ['buys without a trustline', 'BuyNoTrust', () => closeLine(silver), sell(unknown)],
    [
      'sells from a deauthorized trustline',
      'SellNotAuthorized',
      () => putLine(draft, ann, gold, { flags: 2 }),
      sell(unknown),
    ],
    [
      'buys into a deauthorized trustline',
      'BuyNotAuthorized',
      () => putLine(draft, ann, silver, { flags: 2 }),
      sell(unknown),
    ],
    ['sells from an empty trustline', 'Underfunded', () => putLine(draft, ann, gold, { balance: 0n }), sell(unknown)],
    ['sells more than there is', 'Underfunded', () => {}, sell({ ...unknown, amount: startBalance + 1n })],
    ['buys more than fits', 'LineFull', () => {}, sell({ ...unknown, price: [10, 1], amount: startBalance })],
    [
      'buys into a full trustline',
      'LineFull',
      () => putLine(draft, ann, silver, { limit: startBalance }),
      sell(unknown),
    ],
    [
      'would be paid less than a stroop into a full line',
      'LineFull',
      () => putLine(draft, ann, silver, { limit: startBalance }),
      sell({ ...unknown, price: [1, 100] }),
    ],
    ['finds no reserve', 'LowReserve', () => setBalance(29_999_999n), sell(unknown)],
    ['crosses its own', 'CrossSelf', () => void run(draft, ann, sell(asks)), sell(bids)],
  ]
  it.each(refusals)('refuses an offer that %s: %s', (_, code, given, body) => {
    given()
    const before = offersIn(draft)
    expect(outcome(ann, body)).toBe(`manageSellOffer${code}`)
    expect(offersIn(draft)).toEqual(before)
    if (body.type !== 'manageSellOffer') throw new Error(body.type)
    const { selling, buying, amount, price, offerId } = body.manageSellOfferOp
    const isOfAmount = code === 'Underfunded' || code === 'LineFull' || code === 'CrossSelf'
    if (isOfAmount) return
    expect(outcome(ann, buy({ selling, buying, amount, price: [price.d, price.n], offerId }))).toBe(
      `manageBuyOffer${code}`,
    )
  })

  it("refuses an offer that buys more than can be paid or fits, or that crosses its owner's", () => {
    const terms = { selling: gold, buying: silver, price: [1, 1] as const }
    expect(outcome(ann, buy({ ...terms, amount: startBalance + 1n }))).toBe('manageBuyOfferUnderfunded')
    expect(outcome(ann, buy({ ...terms, price: [1, 100], amount: 10n * startBalance }))).toBe('manageBuyOfferLineFull')
    run(draft, ann, sell({ ...terms, amount: 1n }))
    const back = { selling: silver, buying: gold, amount: 1n, price: [1, 1] as const }
    expect(outcome(ann, buy(back))).toBe('manageBuyOfferCrossSelf')
  })

  it('refuses an offer beyond the subentry limit, and one that crosses more than a thousand offers', () => {
    const account = requireAccount(draft, ann)
    saveAccount(draft, account, { numSubEntries: 1_000, balance: 10n * startBalance })
    expect(outcome(ann, sell(asks))).toBe('opTooManySubentries')
    saveAccount(draft, requireAccount(draft, ben), { balance: 100n * startBalance })
    for (let count = 0; count < 900; count += 1) run(draft, ben, sell({ ...asks, amount: 1n }))
    for (let count = 0; count < 101; count += 1) run(draft, cho, sell({ ...asks, amount: 1n }))
    expect(outcome(goldIssuer, sell({ ...bids, amount: 2_002n }))).toBe('opExceededWorkLimit')
    expect(outcome(goldIssuer, sell({ ...bids, amount: 2_000n }))).toBe('manageSellOfferSuccess')
    expect(offersIn(draft).length).toBe(1)
  })
})

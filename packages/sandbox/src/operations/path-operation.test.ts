import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount, saveAccount } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { accountKey, trustlineKey } from '../ledger/entry-keys.ts'
import { keyNumber } from '../testing/fixture.ts'
import {
  ann,
  ben,
  cho,
  copper,
  dan,
  gold,
  goldIssuer,
  held,
  market,
  nameOf,
  offersIn,
  putLine,
  receive,
  run,
  sell,
  send,
  silver,
  startBalance,
  xlm,
} from '../testing/market.ts'

let draft: LedgerDraft
beforeEach(() => {
  draft = market()
  run(draft, cho, sell({ selling: silver, buying: xlm, amount: 1_000n, price: [3, 1] }))
  run(draft, dan, sell({ selling: gold, buying: silver, amount: 1_000n, price: [7, 2] }))
})

const outcome = (body: xdr.OperationBody, source = ann): string => nameOf(run(draft, source, body))
const closeLine = (accountId: xdr.PublicKey, asset: xdr.Asset) => {
  const issued = issuedAsset(asset)
  if (issued !== undefined) draft.remove(trustlineKey(accountId, issued))
}
const route = { to: ben, sendAsset: xlm, destAsset: gold, path: [silver] }
const short = { balance: 0n }

/** The offers taken: id, amount bought and amount paid. */
const claimsOf = (body: xdr.OperationBody) => {
  const result = run(draft, ann, body)
  if (E.isLeft(result) || result.right.type !== 'opInner') throw new Error(nameOf(result))
  const { value } = result.right.tr.value
  if (
    !(value instanceof xdr.PathPaymentStrictReceiveResultSuccess) &&
    !(value instanceof xdr.PathPaymentStrictSendResultSuccess)
  )
    throw new Error(nameOf(result))
  const offers = value.offers.map((each) => {
    if (each.type !== 'claimAtomTypeOrderBook') throw new Error(each.type)
    return [each.orderBook.offerId, each.orderBook.amountSold, each.orderBook.amountBought]
  })
  return { offers, delivered: value.last.amount }
}

describe('a payment along a path', () => {
  it('strict receive delivers the exact amount and charges its cost', () => {
    const taken = claimsOf(receive(route, 11n, 117n))
    expect(taken).toEqual({
      offers: [
        [1n, 39n, 117n],
        [2n, 11n, 39n],
      ],
      delivered: 11n,
    })
    expect(held(draft, ann, xlm)).toBe(startBalance - 117n)
    expect(held(draft, ben, gold)).toBe(startBalance + 11n)
  })

  it('strict send spends the exact amount and delivers its proceeds', () => {
    const taken = claimsOf(send(route, 119n, 11n))
    expect(taken).toEqual({
      offers: [
        [1n, 39n, 119n],
        [2n, 11n, 39n],
      ],
      delivered: 11n,
    })
    expect(held(draft, ann, xlm)).toBe(startBalance - 119n)
    expect(held(draft, ben, gold)).toBe(startBalance + 11n)
  })

  it('a path skips hops from an asset to itself', () => {
    expect(outcome(receive({ ...route, path: [xlm, silver, silver] }, 1n, 100n))).toBe(
      'pathPaymentStrictReceiveSuccess',
    )
    expect(outcome(send({ ...route, destAsset: xlm, path: [] }, 5n, 5n))).toBe('pathPaymentStrictSendSuccess')
    expect(held(draft, ben, xlm)).toBe(startBalance + 5n)
  })

  it('a path may use assets that neither side trusts', () => {
    for (const accountId of [ann, ben]) closeLine(accountId, silver)
    expect(outcome(receive(route, 1n, 100n))).toBe('pathPaymentStrictReceiveSuccess')
  })

  it('a payment returns to an issuer without an account, but not through a path', () => {
    draft.remove(accountKey(goldIssuer))
    const back = { to: goldIssuer, sendAsset: gold, destAsset: gold }
    expect(outcome(receive(back, 5n, 5n))).toBe('pathPaymentStrictReceiveSuccess')
    expect(held(draft, ann, gold)).toBe(startBalance - 5n)
    expect(outcome(receive({ ...back, path: [gold] }, 5n, 5n))).toBe('pathPaymentStrictReceiveNoDestination')
  })

  it('a path takes at most a thousand offers on all hops together', () => {
    for (const accountId of [cho, dan])
      saveAccount(draft, requireAccount(draft, accountId), { balance: 100n * startBalance })
    for (let count = 0; count < 500; count += 1) {
      run(draft, cho, sell({ selling: silver, buying: xlm, amount: 1n, price: [1, 1] }))
      run(draft, dan, sell({ selling: gold, buying: silver, amount: 1n, price: [1, 1] }))
    }
    expect(outcome(receive(route, 501n, 1_000_000n))).toBe('opExceededWorkLimit')
    expect(outcome(receive(route, 500n, 500n))).toBe('pathPaymentStrictReceiveSuccess')
    expect(offersIn(draft).length).toBe(2)
  })
})

describe('a payment along a path is refused', () => {
  const nobody = keyNumber(99).xdrAccountId()
  const fill = { balance: startBalance, limit: startBalance }
  const refusals: ReadonlyArray<readonly [string, string, () => void, Partial<typeof route>]> = [
    ['to a missing account', 'NoDestination', () => {}, { to: nobody }],
    ['in an asset the payee does not trust', 'NoTrust', () => closeLine(ben, gold), {}],
    ['into a deauthorized trustline', 'NotAuthorized', () => putLine(draft, ben, gold, { flags: 2 }), {}],
    ['that does not fit', 'LineFull', () => putLine(draft, ben, gold, fill), {}],
    [
      'with an asset the payer does not trust',
      'SrcNoTrust',
      () => closeLine(ann, silver),
      { sendAsset: silver, path: [] },
    ],
    [
      'from a deauthorized trustline',
      'SrcNotAuthorized',
      () => putLine(draft, ann, silver, { flags: 2 }),
      { sendAsset: silver, path: [] },
    ],
    [
      'with more than there is',
      'Underfunded',
      () => putLine(draft, ann, silver, short),
      { sendAsset: silver, path: [] },
    ],
    ['through an empty book', 'TooFewOffers', () => {}, { path: [copper] }],
    [
      'through an offer of its own',
      'OfferCrossSelf',
      () => void run(draft, ann, sell({ selling: gold, buying: silver, amount: 9n, price: [1, 1] })),
      {},
    ],
  ]
  it.each(refusals)('refuses a path payment %s: %s', (_, code, given, change) => {
    given()
    const before = offersIn(draft)
    const paid = { ...route, ...change }
    expect(outcome(receive(paid, 11n, 500n))).toBe(`pathPaymentStrictReceive${code}`)
    expect(outcome(send(paid, 119n, 1n))).toBe(`pathPaymentStrictSend${code}`)
    expect(offersIn(draft)).toEqual(before)
  })

  it('refuses a path payment one stroop above its maximum or below its minimum', () => {
    expect(outcome(receive(route, 11n, 116n))).toBe('pathPaymentStrictReceiveOverSendmax')
    expect(outcome(send(route, 119n, 12n))).toBe('pathPaymentStrictSendUnderDestmin')
  })

  it('refuses a path payment of zero or with an invalid asset code', () => {
    const bad = xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: Buffer.from('A B\0'), issuer: ben }))
    expect(outcome(receive(route, 0n, 1n))).toBe('pathPaymentStrictReceiveMalformed')
    expect(outcome(receive({ ...route, path: [bad] }, 1n, 1n))).toBe('pathPaymentStrictReceiveMalformed')
    expect(outcome(send(route, 1n, 0n))).toBe('pathPaymentStrictSendMalformed')
    expect(outcome(send({ ...route, destAsset: bad }, 1n, 1n))).toBe('pathPaymentStrictSendMalformed')
  })

  it('refuses a path payment from locked balance, or into locked room', () => {
    run(draft, ann, sell({ selling: xlm, buying: copper, amount: 900_000_000n, price: [1, 1] }))
    expect(outcome(receive({ ...route, destAsset: xlm, path: [] }, 100_000_000n, 100_000_000n))).toBe(
      'pathPaymentStrictReceiveUnderfunded',
    )
    putLine(draft, ben, copper, { balance: 0n, limit: 100n })
    run(draft, ben, sell({ selling: xlm, buying: copper, amount: 60n, price: [1, 1] }))
    const paid = { to: ben, sendAsset: copper, destAsset: copper }
    expect(outcome(send(paid, 41n, 41n))).toBe('pathPaymentStrictSendLineFull')
    expect(outcome(send(paid, 40n, 40n))).toBe('pathPaymentStrictSendSuccess')
  })
})

import type { xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { extensionOf } from '../ledger/account-extension.ts'
import { availableBalance, int64Max, requireAccount } from '../ledger/accounts.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { requireHolding } from '../ledger/holdings.ts'
import { lineLiabilities } from '../ledger/trustlines.ts'
import type { OperationOutcome } from '../operations/operation.ts'
import { claimedOffers, claimsIn } from '../testing/claims.ts'
import {
  assets,
  buy,
  held,
  market,
  offersIn,
  receive,
  run,
  sell,
  sellPassively,
  send,
  traders,
} from '../testing/market.ts'
import { liabilitiesAt } from './arithmetic.ts'
import { priceOf } from './offers.ts'

const part = fc.integer({ min: 1, max: 2_147_483_647 })
const price = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.integer({ min: 8, max: 12 }), fc.integer({ min: 8, max: 12 })) },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })) },
  { weight: 1, arbitrary: fc.tuple(part, part) },
)
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 60n) },
  { weight: 4, arbitrary: fc.bigInt(1n, 200_000_000n) },
  { weight: 1, arbitrary: fc.bigInt(1n, int64Max) },
)
const limit = fc.oneof(fc.constant(1n), fc.constant(int64Max), amount)
const place = (length: number) => fc.integer({ min: 0, max: length - 1 })
const pairs = [0, 1, 2].flatMap((one) =>
  [0, 1, 2].filter((other) => other !== one).map((other) => [one, other] as const),
)

const step = fc.record({
  kind: fc.constantFrom(
    'sell',
    'sell',
    'buy',
    'buy',
    'passive',
    'change',
    'withdraw',
    'receive',
    'receive',
    'send',
    'send',
  ),
  who: place(traders.length),
  to: place(traders.length),
  pair: fc.constantFrom(...pairs),
  between: fc.array(place(assets.length), { maxLength: 1 }),
  amount,
  limit,
  price,
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const at = <A>(all: ReadonlyArray<A>, index: number): A => {
  const found = all[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

const bodyOf = (draft: LedgerDraft, { kind, who, to, pair, between, amount: given, limit, price: asked }: Step) => {
  const terms = { selling: at(assets, pair[0]), buying: at(assets, pair[1]), amount: given, price: asked }
  const own = offersIn(draft).find(({ sellerId }) => sellerId.equals(at(traders, who)))
  const path = between.map((each) => at(assets, each))
  const payment = { to: at(traders, to), sendAsset: terms.selling, destAsset: terms.buying, path }
  if (kind === 'sell') return sell(terms)
  if (kind === 'buy') return buy(terms)
  if (kind === 'passive') return sellPassively(terms)
  if (kind === 'change') return sell({ ...terms, offerId: own?.offerId ?? 0n })
  if (kind === 'withdraw') return sell({ ...terms, amount: 0n, offerId: own?.offerId ?? 1n })
  return kind === 'receive' ? receive(payment, given, limit) : send(payment, given, limit)
}

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n)

const totals = (draft: LedgerDraft) => assets.map((asset) => sum(traders.map((each) => held(draft, each, asset))))

/** The liabilities of a holding, and the balance and room that remain. */
const boundIn = (draft: LedgerDraft, accountId: xdr.PublicKey, asset: xdr.Asset) => {
  const holding = requireHolding(draft, accountId, asset)
  if (holding.kind === 'issuer') throw new Error('no trader issues an asset')
  if (holding.kind === 'native') {
    const { selling, buying } = extensionOf(holding.account).liabilities
    return { selling, buying, left: availableBalance(holding.account), room: 0n }
  }
  const { balance, limit } = holding.line
  const { selling, buying } = lineLiabilities(holding.line)
  return { selling, buying, left: balance - selling, room: limit - balance - buying }
}

const boundBy = (own: ReadonlyArray<xdr.OfferEntry>, asset: xdr.Asset) => {
  const of = (offer: xdr.OfferEntry) => liabilitiesAt(priceOf(offer.price), { offerSells: offer.amount })
  return {
    selling: sum(own.filter(({ selling }) => selling.equals(asset)).map((offer) => of(offer).selling)),
    buying: sum(own.filter(({ buying }) => buying.equals(asset)).map((offer) => of(offer).buying)),
  }
}

const claimsOf = (outcome: OperationOutcome): ReadonlyArray<xdr.ClaimOfferAtom> =>
  E.isLeft(outcome) ? [] : claimedOffers(claimsIn(outcome.right) ?? [])

/** Runs the steps and checks each: the market before and after it, and its outcome. */
const runSteps = (
  look: (
    before: ReadonlyArray<bigint>,
    after: LedgerDraft,
    outcome: OperationOutcome,
    taken: Step,
    offers: ReadonlyArray<xdr.OfferEntry>,
  ) => void,
) =>
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const draft = market()
      for (const each of steps) {
        const payer = at(traders, each.who)
        const payee = at(traders, each.to)
        const offers = offersIn(draft)
        const before = [held(draft, payer, at(assets, each.pair[0])), held(draft, payee, at(assets, each.pair[1]))]
        look(before, draft, run(draft, payer, bodyOf(draft, each)), each, offers)
      }
    }),
    { numRuns: 40 },
  )

describe('whatever is offered and paid', () => {
  it('trading neither creates nor destroys a stroop of any asset', () => {
    const expected = totals(market())
    runSteps((_, draft) => expect(totals(draft)).toEqual(expected))
  })

  it('liabilities equal the sum over all offers and never exceed the holdings', () =>
    runSteps((_, draft) => {
      const offers = offersIn(draft)
      for (const trader of traders) {
        const own = offers.filter(({ sellerId }) => sellerId.equals(trader))
        const bound = assets.map((asset) => boundIn(draft, trader, asset))
        expect({
          liabilities: bound.map(({ selling, buying }) => ({ selling, buying })),
          broken: bound.filter(({ left, room }) => left < 0n || room < 0n),
          entries: requireAccount(draft, trader).numSubEntries,
        }).toEqual({
          liabilities: assets.map((asset) => boundBy(own, asset)),
          broken: [],
          entries: assets.length - 1 + own.length,
        })
      }
    }))

  it('takes offers cheapest and oldest first, at their price less the rounding of a used-up offer', () =>
    runSteps((_, draft, outcome, __, offers) => {
      const claims = claimsOf(outcome)
      const left = offersIn(draft)
      const taken = claims.map((claim) => {
        const offer = offers.find(({ offerId }) => offerId === claim.offerId)
        if (offer === undefined) throw new Error(`offer ${claim.offerId} was not in the book`)
        return { claim, offer, stays: left.some(({ offerId }) => offerId === offer.offerId) }
      })
      for (const { claim, offer, stays } of taken) {
        const { n, d } = priceOf(offer.price)
        const [got, due] = [claim.amountBought * d, claim.amountSold * n]
        expect(stays ? got >= due : 100n * got >= 99n * due).toBe(true)
      }
      for (const [index, { offer }] of taken.entries()) {
        const next = taken[index + 1]?.offer
        if (next === undefined || !next.selling.equals(offer.selling) || !next.buying.equals(offer.buying)) continue
        const [one, other] = [offer.price.n / offer.price.d, next.price.n / next.price.d]
        expect(one < other || (one === other && offer.offerId < next.offerId)).toBe(true)
      }
    }))

  it('a path payment delivers exactly its amount within its maximum, or at least its minimum for its amount', () =>
    runSteps(([sent = 0n, received = 0n], draft, outcome, { kind, who, to, pair, amount: given, limit }) => {
      if (E.isLeft(outcome) || (kind !== 'receive' && kind !== 'send') || who === to) return
      const paid = sent - held(draft, at(traders, who), at(assets, pair[0]))
      const delivered = held(draft, at(traders, to), at(assets, pair[1])) - received
      const claims = claimsOf(outcome)
      const own = claims.filter(({ sellerId }) => sellerId.equals(at(traders, to)))
      if (own.length > 0) return
      if (kind === 'receive') expect(delivered === given && paid <= limit).toBe(true)
      else expect(paid === given && delivered >= limit).toBe(true)
    }))
})

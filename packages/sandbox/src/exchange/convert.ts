import { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft } from '../ledger/draft.ts'
import { add, buyable, requireHolding, sellable } from '../ledger/holdings.ts'
import { type Rounding, smaller, type Trade, tradableAmount, tradeAt } from './arithmetic.ts'
import { bookOf } from './book.ts'
import { findOffer, priceOf, releaseOffer, settleOffer } from './offers.ts'

/** The most offers that one operation may take. */
export const maxOffersCrossed = 1_000

/** The assets that a taker pays and buys, and the most of each, in stroops. */
export type Order = {
  readonly pays: xdr.Asset
  readonly buys: xdr.Asset
  readonly maxPaid: bigint
  readonly maxBought: bigint
}

/**
 * How taking offers ends: `filled` when nothing more is to be bought or paid, `tooFewOffers` at the end of the book, or
 * a reason to stop at an offer. `claims` lists the offers taken, in order.
 */
export type Conversion = {
  readonly end: 'filled' | 'tooFewOffers' | 'tooManyOffers' | Stop
  readonly paid: bigint
  readonly bought: bigint
  readonly claims: ReadonlyArray<xdr.ClaimAtom>
}
type Stop = 'badPrice' | 'crossesSelf'

/** Trades with one offer as much as both sides can; the rest of it goes back into the book. */
const crossOffer = (
  draft: LedgerDraft,
  offer: xdr.OfferEntry,
  taker: { readonly takerBuys: bigint; readonly takerPays: bigint },
  rounding: Rounding,
): Trade => {
  const { sellerId, selling, buying } = offer
  const price = priceOf(offer.price)
  releaseOffer(draft, offer)
  const limitsAt = (amount: bigint) => ({
    offerSells: smaller(amount, sellable(requireHolding(draft, sellerId, selling))),
    offerIsPaid: buyable(requireHolding(draft, sellerId, buying)),
  })
  const limits = limitsAt(offer.amount)
  const offerSells = tradableAmount(price, limits)
  const trade = tradeAt(price, { ...limits, offerSells, ...taker }, rounding)
  add(draft, requireHolding(draft, sellerId, buying), trade.paid)
  add(draft, requireHolding(draft, sellerId, selling), -trade.bought)
  const left = trade.offerStays ? tradableAmount(price, limitsAt(offerSells - trade.bought)) : 0n
  settleOffer(draft, new xdr.OfferEntry({ ...offer, amount: left }))
  return trade
}

const claimOf = ({ sellerId, offerId, selling, buying }: xdr.OfferEntry, { bought, paid }: Trade): xdr.ClaimAtom =>
  xdr.ClaimAtom.claimAtomTypeOrderBook(
    new xdr.ClaimOfferAtom({
      sellerId,
      offerId,
      assetSold: selling,
      amountSold: bought,
      assetBought: buying,
      amountBought: paid,
    }),
  )

/**
 * Takes offers from the book, cheapest first, oldest first among equals, until the order is filled. Changes the offers
 * and their owners' balances in the draft, not the taker's. `stopAt` rejects offers, `maxOffers` limits their number.
 * Source: stellar-core, OfferExchange (`convertWithOffers`, `crossOfferV10`).
 */
export const convert = (
  draft: LedgerDraft,
  { pays, buys, maxPaid, maxBought }: Order,
  rounding: Rounding,
  maxOffers: number,
  stopAt: (offer: xdr.OfferEntry) => Stop | undefined,
): Conversion => {
  const book = bookOf(buys, pays)
  const claims: xdr.ClaimAtom[] = []
  let [paid, bought] = [0n, 0n]
  const ending = (end: Conversion['end']): Conversion => ({ end, paid, bought, claims })
  if (maxPaid === 0n || maxBought === 0n) return ending('filled')
  if (maxOffers === 0) return ending('tooManyOffers')
  for (;;) {
    const place = draft.firstOffer(book, () => false)
    const offer = place === undefined ? undefined : findOffer(draft, place.key)
    if (offer === undefined) return ending('tooFewOffers')
    const stop = stopAt(offer)
    if (stop !== undefined) return ending(stop)
    if (claims.length === maxOffers) return ending('tooManyOffers')
    const trade = crossOffer(draft, offer, { takerBuys: maxBought - bought, takerPays: maxPaid - paid }, rounding)
    paid += trade.paid
    bought += trade.bought
    claims.push(claimOf(offer, trade))
    if (trade.offerStays || paid === maxPaid || bought === maxBought) return ending('filled')
  }
}

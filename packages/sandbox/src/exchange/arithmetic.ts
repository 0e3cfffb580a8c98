import { divideUp } from '../divide-up.ts'
import { int64Max } from '../ledger/accounts.ts'

/** The price of one unit of the sold asset, in units of the bought one; both parts are positive. */
export type Price = { readonly n: bigint; readonly d: bigint }

/**
 * The side favoured where amounts do not divide. `normal` favours the owner of the offer that stays in the book, by at
 * most 1 %, or trades nothing. Path payments may favour an offer that stays without bound: `strictReceive` buys exactly
 * what the payment lacks, `strictSend` pays exactly what it has left.
 */
export type Rounding = 'normal' | 'strictReceive' | 'strictSend'

/** An offer's limits in stroops: what it can sell, and what its owner can be paid. */
export type OfferLimits = { readonly offerSells: bigint; readonly offerIsPaid: bigint }

/** A trade's limits in stroops: the offer's limits, what the taker wants to buy, and what it can pay. */
export type TradeLimits = OfferLimits & { readonly takerBuys: bigint; readonly takerPays: bigint }

/** The amounts traded, in stroops. An offer that does not stay is used up, whatever amount it named. */
export type Trade = { readonly bought: bigint; readonly paid: bigint; readonly offerStays: boolean }

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The trade before the check of its price. The smaller side is used up. */
const roundedTrade = ({ n, d }: Price, limits: TradeLimits, rounding: Rounding): Trade => {
  const { offerSells, offerIsPaid, takerBuys, takerPays } = limits
  const offerValue = smaller(offerSells * n, offerIsPaid * d)
  const takerValue = smaller(takerPays * d, takerBuys * n)
  if (offerValue <= takerValue) {
    const [bought, paid] = [offerValue / n, offerValue / d]
    return n > d
      ? { bought, paid: (bought * n) / d, offerStays: false }
      : { bought: divideUp(paid * d, n), paid, offerStays: false }
  }
  const [bought, paid] = [takerValue / n, takerValue / d]
  if (rounding === 'strictSend') return { bought, paid: smaller(takerPays, offerIsPaid), offerStays: true }
  return n > d || rounding === 'strictReceive'
    ? { bought, paid: divideUp(bought * n, d), offerStays: true }
    : { bought: (paid * d) / n, paid, offerStays: true }
}

/** Whether the amount paid is within 1 % of the price. */
const isPriceKept = ({ n, d }: Price, { bought, paid }: Trade): boolean => {
  const difference = 100n * (n * bought - d * paid)
  return (difference < 0n ? -difference : difference) <= n * bought
}

/**
 * The trade of an offer with its taker, at the offer's price.
 * Source: stellar-core, OfferExchange (`exchangeV10`), whose comments prove that no limit is exceeded.
 */
export const tradeAt = (price: Price, limits: TradeLimits, rounding: Rounding): Trade => {
  const trade = roundedTrade(price, limits, rounding)
  if (rounding !== 'normal') return trade
  const isTraded = trade.bought > 0n && trade.paid > 0n && isPriceKept(price, trade)
  return isTraded ? trade : { ...trade, bought: 0n, paid: 0n }
}

const againstEverything = { takerBuys: int64Max, takerPays: int64Max }

/** The part that a taker without limits could buy, which is what an offer in the book may name. */
export const tradableAmount = (price: Price, limits: OfferLimits): bigint =>
  tradeAt(price, { ...limits, ...againstEverything }, 'normal').bought

/**
 * The liabilities of an offer in stroops, as if all of it were taken: `selling` locks part of the balance, `buying`
 * part of the room for more. An offer limited by what it buys names `offerIsPaid`.
 */
export const liabilitiesAt = (
  price: Price,
  { offerSells = int64Max, offerIsPaid = int64Max }: Partial<OfferLimits>,
): { readonly selling: bigint; readonly buying: bigint } => {
  const { bought, paid } = roundedTrade(price, { offerSells, offerIsPaid, ...againstEverything }, 'normal')
  return { selling: bought, buying: paid }
}

import { int64Max } from '../ledger/accounts.ts'

/** What one unit of the asset an offer sells costs, in units of the asset it buys; both above zero. */
export type Price = { readonly n: bigint; readonly d: bigint }

/**
 * Who is favoured where amounts do not divide. `normal`: whoever's offer stays in the book, by at most 1 %; where it
 * would be more, nothing is traded. With path payments an offer that stays may be favoured without bound:
 * `strictReceive` buys exactly what the payment is short of, `strictSend` pays exactly what it has left.
 */
export type Rounding = 'normal' | 'strictReceive' | 'strictSend'

/** What limits an offer, in stroops: what it can sell, and what its owner can be paid. */
export type OfferLimits = { readonly offerSells: bigint; readonly offerIsPaid: bigint }

/** What limits a trade, in stroops: the offer's limits, what its taker wants to buy, and what it can pay. */
export type TradeLimits = OfferLimits & { readonly takerBuys: bigint; readonly takerPays: bigint }

/** What is traded, in stroops. An offer that does not stay is used up, whatever amount it named. */
export type Trade = { readonly bought: bigint; readonly paid: bigint; readonly offerStays: boolean }

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** The trade before anyone asks whether its price is too far off. The smaller side is used up. */
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

/** Whether what is paid differs from the price by at most 1 %. */
const isPriceKept = ({ n, d }: Price, { bought, paid }: Trade): boolean => {
  const difference = 100n * (n * bought - d * paid)
  return (difference < 0n ? -difference : difference) <= n * bought
}

/**
 * What an offer and its taker trade at the offer's price.
 * Source: stellar-core, OfferExchange (`exchangeV10`), whose comments prove that no limit is exceeded.
 */
export const tradeAt = (price: Price, limits: TradeLimits, rounding: Rounding): Trade => {
  const trade = roundedTrade(price, limits, rounding)
  if (rounding !== 'normal') return trade
  const isTraded = trade.bought > 0n && trade.paid > 0n && isPriceKept(price, trade)
  return isTraded ? trade : { ...trade, bought: 0n, paid: 0n }
}

const againstEverything = { takerBuys: int64Max, takerPays: int64Max }

/** How much of an amount a taker without limits could buy, which is what an offer in the book may name. */
export const tradableAmount = (price: Price, limits: OfferLimits): bigint =>
  tradeAt(price, { ...limits, ...againstEverything }, 'normal').bought

/**
 * What an offer binds of its owner's balance (`selling`) and of the room for more (`buying`), in stroops: what it would
 * sell and be paid if all of it were taken. An offer limited by what it buys names `offerIsPaid`.
 */
export const liabilitiesAt = (
  price: Price,
  { offerSells = int64Max, offerIsPaid = int64Max }: Partial<OfferLimits>,
): { readonly selling: bigint; readonly buying: bigint } => {
  const { bought, paid } = roundedTrade(price, { offerSells, offerIsPaid, ...againstEverything }, 'normal')
  return { selling: bought, buying: paid }
}

import { type Stroops, stroops } from '@quittance/domain'
import { BASE_FEE, type FeeStats, type LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

/** The lowest and highest fee that a wallet bids, in stroops: 0.001 and 0.02 XLM. */
export const leastBid = stroops(10_000n)
export const highestBid = stroops(200_000n)

/**
 * The highest fee charged lately for one operation, or for one contract call, in stroops; the base fee if no node
 * answers.
 */
export const goingPrice = async (
  gateway: Pick<LedgerGateway, 'feeStats'>,
  kind: Exclude<keyof FeeStats, 'asOf'>,
): Promise<Stroops> => {
  const stats = await gateway.feeStats()()
  return E.isLeft(stats) ? BASE_FEE : stats.right[kind].max
}

/**
 * A wallet's bid: twice the going price, since the wallet signs later and its bid cannot be raised then. The network
 * charges the price at which its ledger fills up, not the bid.
 */
export const bidOfPayer = (price: Stroops): Stroops => {
  const ample = price * 2n
  if (ample <= leastBid) return leastBid
  return ample < highestBid ? stroops(ample) : highestBid
}

/** Whether an earlier bid still gets a transaction into a ledger, up to the highest bid. */
export const isStillEnough = (bid: Stroops, price: Stroops): boolean => bid >= price || bid >= highestBid

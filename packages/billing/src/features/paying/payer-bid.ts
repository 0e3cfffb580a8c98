import { type Stroops, stroops } from '@quittance/domain'
import { BASE_FEE, type FeeStats, type LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

/** What a wallet offers at the least and at the most to be in a ledger, in stroops: 0.001 and 0.02 XLM. */
export const leastBid = stroops(10_000n)
export const highestBid = stroops(200_000n)

/** The most that was charged lately for one operation, or for one contract call, in stroops; the base fee if no node tells. */
export const goingPrice = async (
  gateway: Pick<LedgerGateway, 'feeStats'>,
  kind: Exclude<keyof FeeStats, 'asOf'>,
): Promise<Stroops> => {
  const stats = await gateway.feeStats()()
  return E.isLeft(stats) ? BASE_FEE : stats.right[kind].max
}

/**
 * What a wallet should bid: twice the going price, since it signs later, and nobody can bid more for it then. The network
 * charges the price at which its ledger fills up, not the bid.
 */
export const bidOfPayer = (price: Stroops): Stroops => {
  const ample = price * 2n
  if (ample <= leastBid) return leastBid
  return ample < highestBid ? stroops(ample) : highestBid
}

/** Whether a bid made earlier still gets a transaction into a ledger, as far as payers may bid. */
export const isStillEnough = (bid: Stroops, price: Stroops): boolean => bid >= price || bid >= highestBid

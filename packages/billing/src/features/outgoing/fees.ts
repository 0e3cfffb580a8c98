import { type IntentClass, type Stroops, stroops } from '@quittance/domain'
import { BASE_FEE, type FeeStats, type LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'

/** The most that one operation may ever bid, in stroops. */
const caps: Readonly<Record<IntentClass, Stroops>> = {
  refund: stroops(500_000n),
  return: stroops(100_000n),
  charge: stroops(500_000n),
  cancellation: stroops(100_000n),
  set_up: stroops(100_000n),
  payout: stroops(500_000n),
}

export const feeCapOf = (of: IntentClass): Stroops => caps[of]

/** A transaction in the queue gives way to the same one at ten times the fee. */
const replacementTimes = 10n

/**
 * What an operation should bid, in stroops: what nearly all were charged lately, within the base fee and the cap. Bidding
 * more than needed costs nothing, since a ledger charges what its last transaction bid. Without an answer, the base fee.
 */
export const firstBid =
  (gateway: LedgerGateway, of: IntentClass): T.Task<Stroops> =>
  async () => {
    const stats = await gateway.feeStats()()
    const asked = E.isLeft(stats) ? BASE_FEE : feesFor(of, stats.right).p95
    return within(asked, caps[of])
  }

/** The bid after one that was too low; null where the cap leaves no higher one. */
export const nextBid =
  (gateway: LedgerGateway, of: IntentClass, bid: Stroops, cap: Stroops): T.Task<Stroops | null> =>
  async () => {
    const stats = await gateway.feeStats()()
    const asked = E.isLeft(stats) ? BASE_FEE : feesFor(of, stats.right).max
    const higher = bid * replacementTimes
    const next = within(asked > higher ? asked : higher, cap)
    return next > bid ? next : null
  }

/** Contract calls have ledgers' room of their own. */
const feesFor = (of: IntentClass, { classic, contract }: FeeStats) => (isContractCall(of) ? contract : classic)

/** A call holds all that it does in one operation, and its source is the platform's operator. */
export const isContractCall = (of: IntentClass): boolean => of === 'charge' || of === 'cancellation'

const within = (asked: bigint, cap: Stroops): Stroops => {
  const least = asked > BASE_FEE ? asked : BASE_FEE
  return stroops(least < cap ? least : cap)
}

import { type IntentClass, type Stroops, stroops } from '@quittance/domain'
import { BASE_FEE, type FeeStats, type LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

/** The most that one operation may ever bid, in stroops. */
const caps: Readonly<Record<IntentClass, Stroops>> = {
  refund: stroops(500_000n),
  return: stroops(100_000n),
  charge: stroops(500_000n),
  cancellation: stroops(100_000n),
  set_up: stroops(100_000n),
  payout: stroops(500_000n),
  rotation: stroops(5_000_000n),
  upkeep: stroops(500_000n),
  anchor: stroops(100_000n),
}

export const feeCapOf = (of: IntentClass): Stroops => caps[of]

/** A node's queue replaces a transaction by the same one at ten times the fee. */
const replacementTimes = 10n

/**
 * The bid of an operation, in stroops: the 95th percentile of recent fees, between the base fee and the cap; the base fee if
 * no node answers. Bidding more than needed costs nothing, since a ledger charges what its last transaction bid.
 */
export const firstBid = async (gateway: LedgerGateway, of: IntentClass): Promise<Stroops> => {
  const stats = await gateway.feeStats()()
  const asked = E.isLeft(stats) ? BASE_FEE : feesFor(of, stats.right).p95
  return within(asked, caps[of])
}

/** The bid after one that was too low; null if the cap allows no higher one. */
export const nextBid = async (
  gateway: LedgerGateway,
  of: IntentClass,
  bid: Stroops,
  cap: Stroops,
): Promise<Stroops | null> => {
  const stats = await gateway.feeStats()()
  const asked = E.isLeft(stats) ? BASE_FEE : feesFor(of, stats.right).max
  const higher = bid * replacementTimes
  const next = within(asked > higher ? asked : higher, cap)
  return next > bid ? next : null
}

/** Contract calls have a share of each ledger to themselves. */
const feesFor = (of: IntentClass, { classic, contract }: FeeStats) => (isContractCall(of) ? contract : classic)

/** Whether the transaction is one operation on a contract, from the operator's account. */
export const isContractCall = (of: IntentClass): boolean => of === 'charge' || of === 'cancellation' || of === 'upkeep'

/** Whether the operator's account must be on the ledger for it, also where a channel lends its number and pays the fee. */
export const needsOperator = (of: IntentClass): boolean => isContractCall(of) || of === 'anchor'

const within = (asked: bigint, cap: Stroops): Stroops => {
  const least = asked > BASE_FEE ? asked : BASE_FEE
  return stroops(least < cap ? least : cap)
}

/** Classic transactions and contract transactions have room and prices of their own in a ledger. */
export type Kind = 'classic' | 'contract'

/** What is offered for a place in a ledger, in stroops, for so many operations together. */
export type FeeBid = { readonly fee: bigint; readonly operations: number }

/** Below zero where the first bids less for an operation than the second, above zero where it bids more. */
export const compareBids = (one: FeeBid, other: FeeBid): number => {
  const difference = one.fee * BigInt(Math.max(1, other.operations)) - other.fee * BigInt(Math.max(1, one.operations))
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** What a bid comes to for one operation, in stroops, rounded down. */
export const perOperation = ({ fee, operations }: FeeBid): bigint => fee / BigInt(Math.max(1, operations))

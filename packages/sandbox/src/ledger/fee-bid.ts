/** Classic and contract transactions have separate capacity and prices in a ledger. */
export type Kind = 'classic' | 'contract'

/** The inclusion fee offered for so many operations together, in stroops. */
export type FeeBid = { readonly fee: bigint; readonly operations: number }

/** Compares the bids per operation: negative where the first bids less. */
export const compareBids = (one: FeeBid, other: FeeBid): number => {
  const difference = one.fee * BigInt(Math.max(1, other.operations)) - other.fee * BigInt(Math.max(1, one.operations))
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The bid for one operation, in stroops, rounded down. */
export const perOperation = ({ fee, operations }: FeeBid): bigint => fee / BigInt(Math.max(1, operations))

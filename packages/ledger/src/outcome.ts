import type { AccountId, LedgerSequence, Stroops, TransactionHash, UnixMs } from '@quittance/domain'

/**
 * The outcome of a transaction in a closed ledger. The ledger's header covers all of it, so two nodes with the same
 * header have the same outcomes. `transactionHash` is the one that the ledger lists; for a fee bump the outer one, and
 * `innerHash` is the transaction's own.
 *
 * `Succeeded` and `Failed` are final for the transaction (of a fee bump, the one inside): its sequence number is used,
 * and failed means that none of its operations had any effect. `BumpFailed` is final for the fee bump alone: the
 * transaction inside was not tried, and may still come into a ledger by itself or in another fee bump.
 *
 * Codes are the network's names, such as `txFailed` and `paymentUnderfunded`, of the transaction inside where that was
 * tried. `operationCodes` is one for each operation where they were tried, else none. `feeSource` paid `feeCharged`
 * (stroops) in any case.
 */
export type TransactionOutcome = {
  readonly _tag: 'Succeeded' | 'Failed' | 'BumpFailed'
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  readonly code: string
  readonly operationCodes: ReadonlyArray<string>
  readonly feeCharged: Stroops
  readonly feeSource: AccountId
}

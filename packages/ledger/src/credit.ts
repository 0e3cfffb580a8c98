import type { AccountId, Credit as DomainCredit, TransactionHash } from '@quittance/domain'

/** A transaction's memo. `id` is an unsigned decimal number, `hash` and `return` are 64 lower-case hex digits. */
export type Memo =
  | { readonly _tag: 'none' }
  | { readonly _tag: 'text' | 'id' | 'hash' | 'return'; readonly value: string }

/**
 * Value that a closed ledger brought to a watched account: what the domain judges, and how it was addressed.
 *
 * `transactionHash` is the hash the ledger lists (of a fee bump, the outer one) and with `operationIndex` names the
 * credit for ever. `innerHash` is the hash of the transaction inside a fee bump, null elsewhere: what the payer's wallet
 * signed and knows. `amount` is what arrived, measured in the ledger's own changes, never what was asked for.
 * `muxedId` and `fromMuxedId` are the ids inside `M…` addresses, as unsigned decimal text.
 */
export type Credit = DomainCredit & {
  readonly innerHash: TransactionHash | null
  readonly fromMuxedId: string | null
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly memo: Memo
}

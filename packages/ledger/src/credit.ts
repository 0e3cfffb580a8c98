import type { AccountId, AssetId, Stroops, UnixMs } from './units.ts'

/** A transaction's memo. `id` is an unsigned decimal number, `hash` and `return` are 64 lower-case hex digits. */
export type Memo =
  | { readonly _tag: 'none' }
  | { readonly _tag: 'text' | 'id' | 'hash' | 'return'; readonly value: string }

/**
 * Value that a closed ledger brought to an account.
 *
 * `transactionHash` is the hash the ledger lists (of a fee bump, the outer one) and with `operationIndex` names the
 * credit for ever. `innerHash` is the hash of the transaction inside a fee bump, null elsewhere: what the payer's wallet
 * signed and knows. `amount` is what arrived, measured in the ledger's own changes, never what was asked for.
 * `muxedId` and `fromMuxedId` are the ids inside `M…` addresses, as unsigned decimal text.
 */
export type Credit = {
  readonly transactionHash: string
  readonly innerHash: string | null
  readonly operationIndex: number
  readonly ledger: number
  readonly closedAt: UnixMs
  readonly from: AccountId
  readonly fromMuxedId: string | null
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly assetId: AssetId
  readonly amount: Stroops
  readonly memo: Memo
}

import type { AccountId, AssetId, LedgerSequence, OperationIndex, TransactionHash, UnixMs } from '@quittance/domain'
import type { Memo } from './incoming-payment.ts'

/**
 * The other side of a movement: an account with the id inside its `M…` address, if any; a `C…` address; a claimable
 * balance or liquidity pool by its id of 64 lower-case hex digits. `sponsor` paid the reserve of a claimable balance,
 * usually its creator, whom the ledger does not keep.
 */
export type Counterparty =
  | { readonly _tag: 'account'; readonly account: AccountId; readonly muxedId: string | null }
  | { readonly _tag: 'contract'; readonly contract: string }
  | { readonly _tag: 'claimable_balance'; readonly id: string; readonly sponsor: AccountId | null }
  | { readonly _tag: 'liquidity_pool'; readonly id: string }

/**
 * The kind of a movement. Both sides of a movement have the same kind; the sign of `delta` tells them apart. `trade` is
 * by an offer or a pool, on either side. `contract_call` is a change in a contract call that no event of the asset's
 * own contract explains, and `other` any other unknown change.
 */
export type MovementKind =
  | 'payment'
  | 'path_payment'
  | 'account_created'
  | 'account_merged'
  | 'claimable_balance_created'
  | 'claimable_balance_claimed'
  | 'clawback'
  | 'trade'
  | 'pool_deposit'
  | 'pool_withdrawal'
  | 'contract_transfer'
  | 'contract_mint'
  | 'contract_burn'
  | 'contract_clawback'
  | 'contract_call'
  | 'fee'
  | 'fee_refund'
  | 'other'

/**
 * A change of a watched account's balance by a closed ledger: `delta` stroops of an asset, never 0. The movements of a
 * transaction, an account and an asset add up to the ledger's change; an operation that gave and took has a movement
 * for each.
 *
 * `operationIndex` is null outside of operations: for fees and their refunds. `ordinal` is the place, from 0, among the
 * gains (or the losses) of the operation over all accounts, so that transaction hash, operation index, sign and ordinal
 * identify a movement for ever. `source` sent the operation, or paid the fee. `muxedId` is the id inside the `M…`
 * address by which the account was named; `counterparty` is null where unknown.
 */
export type Movement = {
  readonly _tag: MovementKind
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly operationIndex: OperationIndex | null
  readonly ordinal: number
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  readonly source: AccountId
  readonly account: AccountId
  readonly muxedId: string | null
  readonly counterparty: Counterparty | null
  readonly assetId: AssetId
  readonly delta: bigint
  readonly memo: Memo
}

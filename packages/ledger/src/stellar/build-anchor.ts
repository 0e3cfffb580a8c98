import type { AccountId } from '@quittance/domain'
import { Operation } from '@stellar/stellar-sdk'
import { sha256 } from './transaction-hash.ts'
import { type TransactionFrame, type UnsignedTransaction, withHashMemo } from './unsigned-transaction.ts'

/** `sourceAccount` lends `nextAccountSequence` and pays the fee; where it is not `account`, both sign. */
export type AnchorOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText' | 'memoId'> & {
  readonly nextAccountSequence: bigint
  readonly account: AccountId
  readonly checkpoint: string
}

/** What stands on the ledger for a checkpoint: SHA-256 of its text in UTF-8, as 64 lower-case hex digits. */
export const anchorHash = (checkpoint: string): string => sha256(checkpoint).toString('hex')

/**
 * Builds a transaction that moves nothing and carries the hash of a checkpoint as its memo. Its one operation bumps the sequence
 * number of `account` to 0, which leaves the number as it is.
 * Source: Stellar docs, List of operations, "Bump sequence".
 */
export const buildAnchor = (order: AnchorOrder): UnsignedTransaction =>
  withHashMemo(order, [Operation.bumpSequence({ source: order.account, bumpTo: '0' })], sha256(order.checkpoint))

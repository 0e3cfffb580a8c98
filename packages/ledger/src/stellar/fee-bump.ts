import type { AccountId, Stroops, TransactionHash } from '@quittance/domain'
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { transactionHash } from './transaction-hash.ts'

/**
 * A higher offer for a transaction that is signed already. `fee` is the most that one operation may cost, in stroops,
 * the fee bump itself counted as one more. `feeSource` pays it, and signs.
 */
export type FeeBumpOrder = {
  readonly envelopeXdr: string
  readonly feeSource: AccountId
  readonly fee: Stroops
  readonly networkPassphrase: string
}

/** An unsigned fee bump. The ledger that takes it lists it by this hash, and answers for the transaction inside by both. */
export type UnsignedFeeBump = { readonly envelopeXdr: string; readonly transactionHash: TransactionHash }

/**
 * Wraps a transaction of ours; its own hash and signatures stay. In the place of what waits already, a network takes it
 * at ten times the fee.
 * Throws on an envelope that is malformed or a fee bump itself, and on a fee below that of the transaction: our defects.
 * Source: CAP-15.
 */
export const feeBump = ({ envelopeXdr, feeSource, fee, networkPassphrase }: FeeBumpOrder): UnsignedFeeBump => {
  const inner = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  if (inner instanceof FeeBumpTransaction) throw new TypeError('a fee bump cannot be wrapped')
  const bump = TransactionBuilder.buildFeeBumpTransaction(feeSource, fee.toString(), inner, networkPassphrase)
  return { envelopeXdr: bump.toXdr(), transactionHash: transactionHash(bump.hash()) }
}

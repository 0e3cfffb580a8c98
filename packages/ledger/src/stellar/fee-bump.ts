import type { AccountId, Stroops, TransactionHash } from '@quittance/domain'
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { transactionHash } from './transaction-hash.ts'

/**
 * A higher bid for a signed transaction. `fee` is the most that one operation may cost, in stroops; the fee bump counts
 * as one more operation. `feeSource` pays it, and signs.
 */
export type FeeBumpOrder = {
  readonly envelopeXdr: string
  readonly feeSource: AccountId
  readonly fee: Stroops
  readonly networkPassphrase: string
}

/** An unsigned fee bump. A ledger lists it by this hash, and finds the inner transaction by both. */
export type UnsignedFeeBump = { readonly envelopeXdr: string; readonly transactionHash: TransactionHash }

/**
 * Wraps our transaction, which keeps its hash and signatures. A network replaces a waiting transaction at ten times its
 * fee.
 * Throws on an envelope that is malformed or a fee bump itself, and on a fee below that of the transaction: our
 * defects.
 * Source: CAP-15.
 */
export const feeBump = ({ envelopeXdr, feeSource, fee, networkPassphrase }: FeeBumpOrder): UnsignedFeeBump => {
  const inner = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  if (inner instanceof FeeBumpTransaction) throw new TypeError('a fee bump cannot be wrapped')
  const bump = TransactionBuilder.buildFeeBumpTransaction(feeSource, fee.toString(), inner, networkPassphrase)
  return { envelopeXdr: bump.toXdr(), transactionHash: transactionHash(bump.hash()) }
}

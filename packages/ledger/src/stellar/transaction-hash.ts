import { createHash } from 'node:crypto'
import { TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import { named } from '../named.ts'

/** SHA-256 of consecutive bytes, as ledgers hash their parts. */
export const sha256 = (...parts: ReadonlyArray<Uint8Array | string>): Buffer => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** A network's id: 32 bytes that keep a transaction from being valid on another network. */
export const networkId = (passphrase: string): Buffer => sha256(passphrase)

/** Names 32 bytes as a transaction's hash. */
export const transactionHash = (bytes: Uint8Array): TransactionHash =>
  named(TransactionHash, Buffer.from(bytes).toString('hex'))

const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2])
const ENVELOPE_TYPE_FEE_BUMP = Buffer.from([0, 0, 0, 5])
const KEY_TYPE_ED25519 = Buffer.from([0, 0, 0, 0])

/**
 * A transaction's hashes, 64 lower-case hex digits each: its own and, for a fee bump, that of the inner transaction.
 * They do not cover signatures.
 * Source: `TransactionSignaturePayload` in Stellar-transaction.x; a version 0 transaction is hashed as its version 1
 * equivalent, which only adds the key's type.
 */
export const transactionHashes = (
  network: Buffer,
  envelope: xdr.TransactionEnvelope,
): { readonly transactionHash: TransactionHash; readonly innerHash: TransactionHash | null } => {
  const hash = (...body: ReadonlyArray<Uint8Array>): TransactionHash => transactionHash(sha256(network, ...body))
  switch (envelope.type) {
    case 'envelopeTypeTxV0':
      return {
        transactionHash: hash(ENVELOPE_TYPE_TX, KEY_TYPE_ED25519, envelope.v0.tx.toXdr()),
        innerHash: null,
      }
    case 'envelopeTypeTx':
      return { transactionHash: hash(ENVELOPE_TYPE_TX, envelope.v1.tx.toXdr()), innerHash: null }
    case 'envelopeTypeTxFeeBump': {
      const { tx } = envelope.feeBump
      return {
        transactionHash: hash(ENVELOPE_TYPE_FEE_BUMP, tx.toXdr()),
        innerHash: hash(ENVELOPE_TYPE_TX, tx.innerTx.v1.tx.toXdr()),
      }
    }
  }
}

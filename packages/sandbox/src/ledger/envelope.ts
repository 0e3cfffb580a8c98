import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { hexOf, type Network, sha256 } from '../network.ts'
import { accountIdOf } from '../operations/operation.ts'
import type { MalformedEnvelope } from '../sandbox-api.ts'

/** A decoded envelope. `hash` is what was signed; `envelope` is in its v1 form, whichever form it came in. */
export type SignedTransaction = {
  readonly hash: Uint8Array
  readonly envelope: xdr.TransactionEnvelopeTx
  readonly transaction: xdr.Transaction
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
  readonly source: xdr.PublicKey
}

/** A fee bump is recognised by its hash; this ledger does not include any. */
export type FeeBump = { readonly hash: Uint8Array; readonly fee: bigint }

const payload = (networkId: Uint8Array, tagged: xdr.TransactionSignaturePayloadTaggedTransaction): Uint8Array =>
  sha256(new xdr.TransactionSignaturePayload({ networkId, taggedTransaction: tagged }).toXdr())

/** The same transaction in the form that has replaced v0; its hash is the same by definition. */
const fromV0 = ({ tx, signatures }: xdr.TransactionV0Envelope): xdr.TransactionV1Envelope =>
  new xdr.TransactionV1Envelope({
    tx: new xdr.Transaction({
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(tx.sourceAccountEd25519),
      fee: tx.fee,
      seqNum: tx.seqNum,
      cond: tx.timeBounds === null ? xdr.Preconditions.precondNone() : xdr.Preconditions.precondTime(tx.timeBounds),
      memo: tx.memo,
      operations: tx.operations,
      ext: xdr.TransactionExt.v0(),
    }),
    signatures,
  })

const signedTransaction = (v1: xdr.TransactionV1Envelope, network: Network): SignedTransaction => ({
  hash: payload(network.id, xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(v1.tx)),
  envelope: new xdr.TransactionEnvelopeTx(v1),
  transaction: v1.tx,
  signatures: v1.signatures,
  source: accountIdOf(v1.tx.sourceAccount),
})

const decode = (bytes: Uint8Array): E.Either<MalformedEnvelope, xdr.TransactionEnvelope> =>
  E.tryCatch(
    () => xdr.TransactionEnvelope.fromXdr(bytes),
    () => ({ _tag: 'MalformedEnvelope' }),
  )

type Read = { readonly feeBump: FeeBump } | { readonly signed: SignedTransaction }

const hashed = (envelope: xdr.TransactionEnvelope, network: Network): Read => {
  switch (envelope.type) {
    case 'envelopeTypeTxV0':
      return { signed: signedTransaction(fromV0(envelope.v0), network) }
    case 'envelopeTypeTx':
      return { signed: signedTransaction(envelope.v1, network) }
    case 'envelopeTypeTxFeeBump': {
      const { tx } = envelope.feeBump
      const tagged = xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(tx)
      return { feeBump: { hash: payload(network.id, tagged), fee: tx.fee } }
    }
  }
}

/** Decodes a submission and computes its hash for this network. */
export const readEnvelope = (bytes: Uint8Array, network: Network): E.Either<MalformedEnvelope, Read> =>
  pipe(
    decode(bytes),
    E.map((envelope) => hashed(envelope, network)),
  )

/** An envelope that this ledger itself has stored. */
export const readStoredEnvelope = (bytes: Uint8Array, network: Network): SignedTransaction => {
  const read = readEnvelope(bytes, network)
  if (E.isRight(read) && 'signed' in read.right) return read.right.signed
  throw new Error(`a stored envelope cannot be read: ${hexOf(bytes)}`)
}

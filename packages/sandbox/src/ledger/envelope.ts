import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { hexOf, type Network, sha256 } from '../network.ts'
import { accountIdOf } from '../operations/operation.ts'
import type { MalformedEnvelope } from '../sandbox-api.ts'

/** A fee bump: its payer, the most it pays in stroops, and its signatures. */
export type FeeBump = {
  readonly feeSource: xdr.PublicKey
  readonly fee: bigint
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
}

/**
 * A decoded envelope. `hash` identifies it on the network; `innerHash` is what `signatures` sign. The two differ in a
 * fee bump, where all fields but `hash`, `envelope` and `feeBump` describe the inner transaction. `envelope` is never
 * in the form v0.
 */
export type SignedTransaction = {
  readonly hash: Uint8Array
  readonly innerHash: Uint8Array
  readonly envelope: xdr.TransactionEnvelopeTx | xdr.TransactionEnvelopeTxFeeBump
  readonly transaction: xdr.Transaction
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
  readonly source: xdr.PublicKey
  readonly feeBump: FeeBump | undefined
  readonly networkId: Uint8Array
}

const payload = (networkId: Uint8Array, tagged: xdr.TransactionSignaturePayloadTaggedTransaction): Uint8Array =>
  sha256(new xdr.TransactionSignaturePayload({ networkId, taggedTransaction: tagged }).toXdr())

/** Converts from the form v0; the hash stays the same by definition. */
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

const signedTransaction = (v1: xdr.TransactionV1Envelope, network: Pick<Network, 'id'>): SignedTransaction => {
  const hash = payload(network.id, xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(v1.tx))
  return {
    hash,
    innerHash: hash,
    envelope: new xdr.TransactionEnvelopeTx(v1),
    transaction: v1.tx,
    signatures: v1.signatures,
    source: accountIdOf(v1.tx.sourceAccount),
    feeBump: undefined,
    networkId: network.id,
  }
}

const bumped = (envelope: xdr.TransactionEnvelopeTxFeeBump, network: Pick<Network, 'id'>): SignedTransaction => {
  const { tx, signatures } = envelope.feeBump
  return {
    ...signedTransaction(tx.innerTx.v1, network),
    hash: payload(network.id, xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(tx)),
    envelope,
    feeBump: { feeSource: accountIdOf(tx.feeSource), fee: tx.fee, signatures },
  }
}

const decode = (bytes: Uint8Array): E.Either<MalformedEnvelope, xdr.TransactionEnvelope> =>
  E.tryCatch(
    () => xdr.TransactionEnvelope.fromXdr(bytes),
    () => ({ _tag: 'MalformedEnvelope' }),
  )

const hashed = (envelope: xdr.TransactionEnvelope, network: Pick<Network, 'id'>): SignedTransaction => {
  switch (envelope.type) {
    case 'envelopeTypeTxV0':
      return signedTransaction(fromV0(envelope.v0), network)
    case 'envelopeTypeTx':
      return signedTransaction(envelope.v1, network)
    case 'envelopeTypeTxFeeBump':
      return bumped(envelope, network)
  }
}

/** Decodes a submission and computes its hash for this network. */
export const readEnvelope = (
  bytes: Uint8Array,
  network: Pick<Network, 'id'>,
): E.Either<MalformedEnvelope, SignedTransaction> => {
  const decoded = decode(bytes)
  return E.isLeft(decoded) ? decoded : E.right(hashed(decoded.right, network))
}

/** Decodes an envelope that this ledger has stored. */
export const readStoredEnvelope = (bytes: Uint8Array, network: Pick<Network, 'id'>): SignedTransaction => {
  const read = readEnvelope(bytes, network)
  if (E.isRight(read)) return read.right
  throw new Error(`a stored envelope cannot be read: ${hexOf(bytes)}`)
}

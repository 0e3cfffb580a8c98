import { createHash } from 'node:crypto'
import type { Evidence } from './format.ts'
import type { EvidenceProblem } from './problems.ts'
import type { ReadCheckpoint } from './verify-checkpoints.ts'

const sha256 = (...parts: ReadonlyArray<string | Uint8Array>): Buffer =>
  parts.reduce((hash: ReturnType<typeof createHash>, part) => hash.update(part), createHash('sha256')).digest()

/** `ENVELOPE_TYPE_TX` and `MEMO_HASH` in XDR. */
const envelopeType = Buffer.of(0, 0, 0, 2)
const hashMemo = Buffer.of(0, 0, 0, 3)
const signatureBytes = 72
const mostSignatures = 20

/**
 * The transaction in an envelope, without its signatures, if its hash on this network is this one; else null. What the hash
 * covers needs no reading of XDR: it is all between the envelope's type and the signatures, of which there are at most 20.
 * Source: Stellar's `TransactionEnvelope` and `TransactionSignaturePayload`.
 */
const transactionIn = (envelope: Buffer, passphrase: string, hash: string): Buffer | null => {
  if (!envelope.subarray(0, 4).equals(envelopeType)) return null
  for (let signatures = 0; signatures <= mostSignatures; signatures++) {
    const transaction = envelope.subarray(4, envelope.length - 4 - signatures * signatureBytes)
    if (sha256(sha256(passphrase), envelopeType, transaction).toString('hex') === hash) return transaction
  }
  return null
}

/** The envelope that the log prepared under a hash; empty where the bundle has none. */
const envelopeOf = ({ streams }: Evidence, hash: string): Buffer => {
  const [first] = streams.find(({ stream }) => stream === `stellartx-${hash}`)?.events ?? []
  const xdr = first !== undefined && 'event' in first ? first.event.data.envelopeXdr : null
  return Buffer.from(typeof xdr === 'string' ? xdr : '', 'base64')
}

/**
 * Verifies that the transaction of each anchor names its checkpoint: its memo is the SHA-256 of the checkpoint's text.
 * Whether a ledger holds the transaction, only that ledger says.
 */
export const verifyAnchors = (
  evidence: Evidence,
  checkpoints: ReadonlyArray<ReadCheckpoint | null>,
  report: (problem: EvidenceProblem) => void,
): void => {
  const hashes = new Set<string>()
  for (const [place, anchor] of evidence.anchors.entries()) {
    const { checkpoint, network_passphrase: passphrase, transaction_hash: hash } = anchor
    const note = checkpoints[checkpoint]?.note
    const transaction = transactionIn(envelopeOf(evidence, hash), passphrase, hash)
    const memo = note === undefined ? null : Buffer.concat([hashMemo, sha256(note.text)])
    if (hashes.has(hash) || memo === null || transaction?.includes(memo) !== true) report({ _tag: 'BadAnchor', place })
    hashes.add(hash)
  }
}

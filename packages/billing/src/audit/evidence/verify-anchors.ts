import { createHash } from 'node:crypto'
import type { Evidence, EvidenceAnchor, EvidenceEvent } from './format.ts'
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
export const transactionIn = (envelope: Buffer, passphrase: string, hash: string): Buffer | null => {
  if (!envelope.subarray(0, 4).equals(envelopeType)) return null
  for (let signatures = 0; signatures <= mostSignatures; signatures++) {
    const transaction = envelope.subarray(4, envelope.length - 4 - signatures * signatureBytes)
    if (sha256(sha256(passphrase), envelopeType, transaction).toString('hex') === hash) return transaction
  }
  return null
}

/** An anchor whose transaction names the checkpoint of `logSize` events. `ledger`: where the log has seen it, if that is shown. */
export type VerifiedAnchor = EvidenceAnchor & { readonly logSize: bigint; readonly ledger: number | null }

const entriesOf = ({ streams }: Evidence, hash: string): ReadonlyArray<EvidenceEvent> =>
  streams.find(({ stream }) => stream === `stellartx-${hash}`)?.events ?? []

/** The envelope that the log prepared; empty where the bundle has none. */
const envelopeIn = ([first]: ReadonlyArray<EvidenceEvent>): Buffer => {
  const xdr = first !== undefined && 'event' in first ? first.event.data.envelopeXdr : null
  return Buffer.from(typeof xdr === 'string' ? xdr : '', 'base64')
}

const ledgerIn = (entries: ReadonlyArray<EvidenceEvent>): number | null => {
  const entered = entries.find((entry) => 'event' in entry && entry.event.type === 'TransactionSucceeded')
  const ledger = entered !== undefined && 'event' in entered ? entered.event.data.ledger : null
  return typeof ledger === 'number' ? ledger : null
}

/**
 * Verifies that the transaction of each anchor names its checkpoint: its memo is the SHA-256 of the checkpoint's text.
 * Whether a ledger holds the transaction, only that ledger says.
 */
export const verifyAnchors = (
  evidence: Evidence,
  checkpoints: ReadonlyArray<ReadCheckpoint | null>,
  report: (problem: EvidenceProblem) => void,
): ReadonlyArray<VerifiedAnchor> => {
  const hashes = new Set<string>()
  return evidence.anchors.flatMap((anchor, place) => {
    const { network_passphrase: passphrase, transaction_hash: hash } = anchor
    const named = checkpoints[anchor.checkpoint] ?? null
    const entries = entriesOf(evidence, hash)
    const transaction = transactionIn(envelopeIn(entries), passphrase, hash)
    const memo = named === null ? null : Buffer.concat([hashMemo, sha256(named.note.text)])
    const isSound = !hashes.has(hash) && memo !== null && transaction?.includes(memo) === true
    hashes.add(hash)
    if (named !== null && isSound) return [{ ...anchor, logSize: named.checkpoint.size, ledger: ledgerIn(entries) }]
    report({ _tag: 'BadAnchor', place })
    return []
  })
}

import * as E from 'fp-ts/lib/Either.js'
import { type Checkpoint, parseCheckpoint } from '../checkpoint.ts'
import { emptyRoot, type Hash } from '../merkle/hashes.ts'
import { type TreeHead, verifyConsistency } from '../merkle/verify.ts'
import type { NoteSignature } from '../note/note.ts'
import type { VerifierKey } from '../note/verifier-key.ts'
import { verifyNote } from '../note/verify-note.ts'
import { parseAddCheckpoint } from './add-checkpoint.ts'

/** Why a witness does not cosign. `statusOf` says the HTTP status of each. */
export type WitnessRefusal =
  | { readonly _tag: 'MalformedRequest' }
  | { readonly _tag: 'UnknownOrigin' }
  | { readonly _tag: 'NotSigned' }
  | { readonly _tag: 'OldSizeTooLarge' }
  | { readonly _tag: 'OldSizeDiffers'; readonly latest: bigint }
  | { readonly _tag: 'Inconsistent' }

/** Source: c2sp.org/tlog-witness, "add-checkpoint". */
export const statusOf: Readonly<Record<WitnessRefusal['_tag'], number>> = {
  MalformedRequest: 400,
  OldSizeTooLarge: 400,
  NotSigned: 403,
  UnknownOrigin: 404,
  OldSizeDiffers: 409,
  Inconsistent: 422,
}

/** A checkpoint that its log has signed, and what is said of the one before. `text` is what a witness cosigns. */
export type SubmittedCheckpoint = {
  readonly oldSize: bigint
  readonly proof: ReadonlyArray<Hash>
  readonly text: string
  readonly checkpoint: Checkpoint
  /** The signatures of the log that were verified. */
  readonly signatures: ReadonlyArray<NoteSignature>
}

/**
 * The first half of a witness's decision, which needs no state: a request whose checkpoint a known log has signed.
 * `logs` are keys of logs, each named as the log's origin; a log may have several.
 * Errors, in this order: `MalformedRequest`, `UnknownOrigin`, `NotSigned`, `OldSizeTooLarge`.
 */
export const readSubmission = (
  logs: ReadonlyArray<VerifierKey>,
  body: string,
): E.Either<WitnessRefusal, SubmittedCheckpoint> => {
  const request = parseAddCheckpoint(body)
  if (E.isLeft(request)) return request
  const { oldSize, proof, checkpoint: note } = request.right
  const checkpoint = parseCheckpoint(note.text)
  if (E.isLeft(checkpoint)) return E.left({ _tag: 'MalformedRequest' })
  const { origin, size } = checkpoint.right
  const keys = logs.filter(({ name, type }) => name === origin && type === 'ed25519')
  if (keys.length === 0) return E.left({ _tag: 'UnknownOrigin' })
  const signatures = verifyNote(note, keys)
  if (E.isLeft(signatures)) return E.left({ _tag: 'NotSigned' })
  if (oldSize > size) return E.left({ _tag: 'OldSizeTooLarge' })
  return E.right({ oldSize, proof, text: note.text, checkpoint: checkpoint.right, signatures: signatures.right })
}

/**
 * The second half: whether a checkpoint continues the latest one that the witness has cosigned for its log (null: none).
 * Answers the checkpoint that is to be stored as the latest, before its cosignature leaves the witness.
 * Errors, in this order: `OldSizeDiffers`, `Inconsistent`.
 * Source: c2sp.org/tlog-witness, "add-checkpoint".
 */
export const continueFrom = (
  latest: TreeHead | null,
  { oldSize, proof, checkpoint }: SubmittedCheckpoint,
): E.Either<WitnessRefusal, Checkpoint> => {
  const older = latest ?? { size: 0n, root: emptyRoot }
  if (oldSize !== older.size) return E.left({ _tag: 'OldSizeDiffers', latest: older.size })
  return verifyConsistency(older, checkpoint, proof) ? E.right(checkpoint) : E.left({ _tag: 'Inconsistent' })
}

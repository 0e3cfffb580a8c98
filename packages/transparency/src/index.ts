/**
 * A transparency log: Merkle trees of RFC 6962, and notes, checkpoints, cosignatures, proofs and witnesses by the
 * formats of C2SP. Everything is pure but the hash function; keys stay with whoever signs.
 *
 * @module @quittance/transparency
 */

export { type Checkpoint, type MalformedCheckpoint, parseCheckpoint, printCheckpoint } from './checkpoint.ts'
export { appendLeaf, type CompactRange, emptyRange, rootOf, type StoredHash } from './merkle/compact-range.ts'
export { emptyRoot, type Hash, leafHash, nodeHash } from './merkle/hashes.ts'
export { leafOf } from './merkle/leaf.ts'
export { type NoProof, type Proven, proveConsistency, proveInclusion, type ReadTiles } from './merkle/prove.ts'
export { newTiles, type Tile, tilePath } from './merkle/tiles.ts'
export { type TreeHead, verifyConsistency, verifyInclusion } from './merkle/verify.ts'
export {
  type MalformedNote,
  type NoteSignature,
  noteLimits,
  parseNote,
  parseSignatures,
  printNote,
  printSignature,
  type SignedNote,
} from './note/note.ts'
export { cosign, type SignBytes, signNote } from './note/sign-note.ts'
export { textOfUtf8 } from './note/strict-text.ts'
export {
  type KeyType,
  keyIdOf,
  parseVerifierKey,
  printVerifierKey,
  type VerifierKey,
  type VerifierKeyRejection,
} from './note/verifier-key.ts'
export { type UnverifiedNote, type VerifiedSignature, verifyNote } from './note/verify-note.ts'
export {
  type BelievedCheckpoint,
  believeCheckpoint,
  type DoubtfulCheckpoint,
  type LogProof,
  type MalformedProof,
  type ProofPolicy,
  parseProof,
  printProof,
  type RefusedProof,
  verifyProof,
} from './proof.ts'
export {
  type AddCheckpoint,
  type MalformedRequest,
  parseAddCheckpoint,
  parseSize,
  printAddCheckpoint,
  printSize,
  requestLimit,
  sizeType,
} from './witness/add-checkpoint.ts'
export {
  continueFrom,
  readSubmission,
  type SubmittedCheckpoint,
  statusOf,
  type WitnessRefusal,
} from './witness/witness.ts'

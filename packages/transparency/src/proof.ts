import * as E from 'fp-ts/lib/Either.js'
import { type Checkpoint, type MalformedCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { hashesOf, printHashes } from './hash-lines.ts'
import type { Hash } from './merkle/hashes.ts'
import { verifyInclusion } from './merkle/verify.ts'
import { type MalformedNote, noteLimits, parseNote, printNote, type SignedNote } from './note/note.ts'
import { base64Of, bytesOfBase64, wholeNumber } from './note/strict-text.ts'
import type { VerifierKey } from './note/verifier-key.ts'
import { type UnverifiedNote, type VerifiedSignature, verifyNote } from './note/verify-note.ts'

/**
 * Shows offline that a log has a leaf: its index, the hashes from its sibling up to the root's child, and a checkpoint
 * with signatures. `extra` is of the application; nothing authenticates it. Null: there is none.
 */
export type LogProof = {
  readonly extra: Uint8Array | null
  readonly index: bigint
  readonly hashes: ReadonlyArray<Hash>
  readonly checkpoint: SignedNote
}

/** Why a text is no proof: a line of its own, or the note or checkpoint in it. */
export type MalformedProof =
  | { readonly _tag: 'MalformedProof'; readonly problem: 'header' | 'extra' | 'index' | 'hashes' | 'checkpoint' }
  | MalformedNote

const header = 'c2sp.org/tlog-proof@v1'

/** A proof as text, for a file `….tlog-proof`. `parseProof` reads it back. Source: c2sp.org/tlog-proof, "Format". */
export const printProof = ({ extra, index, hashes, checkpoint }: LogProof): string =>
  `${header}\n${extra === null ? '' : `extra ${base64Of(extra)}\n`}index ${index}\n${printHashes(hashes)}\n${printNote(checkpoint)}`

const malformed = (problem: 'header' | 'extra' | 'index' | 'hashes' | 'checkpoint'): E.Either<MalformedProof, never> =>
  E.left({ _tag: 'MalformedProof', problem })

const afterName = (line: string | undefined, name: string): string =>
  line?.startsWith(`${name} `) === true ? line.slice(name.length + 1) : ''

/**
 * Reads a proof. Nothing is verified.
 * Errors: `MalformedProof` for any text that `printProof` does not write back letter by letter.
 */
export const parseProof = (text: string): E.Either<MalformedProof, LogProof> => {
  if (text.length > 2 * noteLimits.length) return E.left({ _tag: 'MalformedNote', problem: 'tooLong' })
  const end = text.indexOf('\n\n')
  if (end === -1) return malformed('checkpoint')
  const [first, ...lines] = text.slice(0, end).split('\n')
  if (first !== header) return malformed('header')
  const hasExtra = lines[0]?.startsWith('extra ') === true
  const extra = hasExtra ? bytesOfBase64(afterName(lines.shift(), 'extra')) : null
  if (hasExtra && extra === null) return malformed('extra')
  const index = wholeNumber(afterName(lines.shift(), 'index'))
  if (index === null) return malformed('index')
  const hashes = hashesOf(lines)
  if (hashes === null) return malformed('hashes')
  return E.map((checkpoint: SignedNote) => ({ extra, index, hashes, checkpoint }))(parseNote(text.slice(end + 2)))
}

/**
 * Whom a verifier believes: keys of logs, each named as the log's origin, and keys of witnesses, of which at least
 * `quorum` must have cosigned. Keys of one name are one witness.
 */
export type ProofPolicy = {
  readonly logs: ReadonlyArray<VerifierKey>
  readonly witnesses: ReadonlyArray<VerifierKey>
  readonly quorum: number
}

/** A checkpoint that a policy believes, with the time, in Unix seconds, of each witness's cosignature. */
export type BelievedCheckpoint = { readonly checkpoint: Checkpoint; readonly cosignedAt: ReadonlyMap<string, bigint> }

/** Why a policy does not believe a checkpoint. */
export type DoubtfulCheckpoint =
  | MalformedCheckpoint
  | UnverifiedNote
  | { readonly _tag: 'UnknownOrigin'; readonly origin: string }
  | { readonly _tag: 'TooFewWitnesses'; readonly quorum: number; readonly cosigned: ReadonlyArray<string> }

/** Why a proof is refused. */
export type RefusedProof = DoubtfulCheckpoint | { readonly _tag: 'NotIncluded' }

/** The latest time of each witness. */
const timesOf = (signatures: ReadonlyArray<VerifiedSignature>): ReadonlyMap<string, bigint> => {
  const times = new Map<string, bigint>()
  for (const { keyName, time } of signatures)
    if (time !== null && time > (times.get(keyName) ?? 0n)) times.set(keyName, time)
  return times
}

/**
 * Whether a note is a checkpoint of a known log that enough known witnesses have cosigned.
 * Signatures of unknown keys are ignored; one of a known key that is wrong refuses the note.
 * Errors: `DoubtfulCheckpoint`. Source: c2sp.org/tlog-proof, "Verifying a tlog proof", steps 2 and 3.
 */
export const believeCheckpoint = (
  note: SignedNote,
  { logs, witnesses, quorum }: ProofPolicy,
): E.Either<DoubtfulCheckpoint, BelievedCheckpoint> => {
  const checkpoint = parseCheckpoint(note.text)
  if (E.isLeft(checkpoint)) return checkpoint
  const { origin } = checkpoint.right
  const ofLog = logs.filter(({ name, type }) => name === origin && type === 'ed25519')
  if (ofLog.length === 0) return E.left({ _tag: 'UnknownOrigin', origin })
  const signed = verifyNote(note, ofLog)
  if (E.isLeft(signed)) return signed
  const cosigned = verifyNote(
    note,
    witnesses.filter(({ type }) => type === 'cosignature/v1'),
  )
  if (E.isLeft(cosigned) && cosigned.left._tag === 'WrongSignature') return cosigned
  const cosignedAt = timesOf(E.isRight(cosigned) ? cosigned.right : [])
  return cosignedAt.size < quorum
    ? E.left({ _tag: 'TooFewWitnesses', quorum, cosigned: [...cosignedAt.keys()] })
    : E.right({ checkpoint: checkpoint.right, cosignedAt })
}

/**
 * Verifies offline that a log has a leaf, given the leaf's hash and whom the verifier believes.
 * Errors: `RefusedProof`: a checkpoint that the policy doubts, or a leaf that is not at that index of it.
 * Source: c2sp.org/tlog-proof, "Verifying a tlog proof".
 */
export const verifyProof = (
  { index, hashes, checkpoint }: LogProof,
  leaf: Hash,
  policy: ProofPolicy,
): E.Either<RefusedProof, BelievedCheckpoint> => {
  const believed = believeCheckpoint(checkpoint, policy)
  if (E.isLeft(believed)) return believed
  return verifyInclusion(index, leaf, believed.right.checkpoint, hashes) ? believed : E.left({ _tag: 'NotIncluded' })
}

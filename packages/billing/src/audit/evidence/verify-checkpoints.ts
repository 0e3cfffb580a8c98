import {
  type BelievedCheckpoint,
  type DoubtfulCheckpoint,
  keyIdOf,
  type MalformedNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  printVerifierKey,
  type SignedNote,
  type VerifierKey,
  verifyConsistency,
  verifyNote,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Evidence } from './format.ts'
import type { EvidenceProblem } from './problems.ts'

/**
 * Whom an auditor believes: keys of the log, and of witnesses, of which at least `quorum` must have cosigned a checkpoint.
 */
export type EvidencePolicy = {
  readonly logs: ReadonlyArray<VerifierKey>
  readonly witnesses: ReadonlyArray<VerifierKey>
  readonly quorum: number
}

type Report = (problem: EvidenceProblem) => void

/** A checkpoint of the bundle: the note, and what it says with the cosignatures of witnesses that the auditor knows. */
export type ReadCheckpoint = BelievedCheckpoint & { readonly note: SignedNote }

const keysOf = (evidence: Evidence, report: Report): ReadonlyArray<VerifierKey> => {
  const keys = new Map<string, VerifierKey>()
  for (const text of evidence.keys) {
    const key = parseVerifierKey(text)
    if (E.isLeft(key) || keys.has(text)) report({ _tag: 'BadKey', key: text })
    else keys.set(text, key.right)
  }
  return [...keys.values()]
}

const isSame = (key: VerifierKey) => (other: VerifierKey) => printVerifierKey(key) === printVerifierKey(other)
const hasSigned =
  ({ signatures }: Pick<SignedNote, 'signatures'>) =>
  (key: VerifierKey): boolean =>
    signatures.some(({ keyName, keyId }) => keyName === key.name && keyId === keyIdOf(key))

/** The checkpoint of a note whose known signatures are right, one of them by its log. */
const believed = (
  note: SignedNote,
  keys: ReadonlyArray<VerifierKey>,
  witnesses: ReadonlyArray<VerifierKey>,
): E.Either<MalformedNote | DoubtfulCheckpoint, ReadCheckpoint> => {
  const checkpoint = parseCheckpoint(note.text)
  if (E.isLeft(checkpoint)) return checkpoint
  const { origin } = checkpoint.right
  const isOfLog = ({ name, type }: VerifierKey): boolean => name === origin && type === 'ed25519'
  if (!keys.some(isOfLog)) return E.left({ _tag: 'UnknownOrigin', origin })
  const signed = verifyNote(note, keys)
  if (E.isLeft(signed)) return signed
  if (!signed.right.some(({ key }) => isOfLog(key))) return E.left({ _tag: 'NoKnownSignature' })
  const cosignedAt = new Map<string, bigint>()
  for (const { key, time } of signed.right)
    if (time !== null && witnesses.some(isSame(key))) cosignedAt.set(key.name, time)
  return E.right({ checkpoint: checkpoint.right, cosignedAt, note })
}

/** Every signature is by a key of the bundle, and right: so no byte of a note can change unnoticed. */
const readCheckpoint = (
  text: string,
  place: number,
  keys: ReadonlyArray<VerifierKey>,
  witnesses: ReadonlyArray<VerifierKey>,
  report: Report,
): ReadCheckpoint | null => {
  const read = E.chainW((note: SignedNote) => believed(note, keys, witnesses))(parseNote(text))
  if (E.isLeft(read)) {
    report({ _tag: 'BadCheckpoint', place, problem: read.left })
    return null
  }
  for (const signature of read.right.note.signatures)
    if (!keys.some(hasSigned({ signatures: [signature] })))
      report({ _tag: 'StraySignature', place, keyName: signature.keyName })
  return read.right
}

const isContinued = (
  { checkpoint: older }: ReadCheckpoint,
  { checkpoint: last }: ReadCheckpoint,
  consistency: ReadonlyArray<string>,
): boolean =>
  older.origin === last.origin &&
  older.size > 0n &&
  older.size < last.size &&
  verifyConsistency(
    older,
    last,
    consistency.map((hash) => Buffer.from(hash, 'base64')),
  )

/** The end of what is shown of the log: the index after the last event. */
const reachOf = ({ streams }: Evidence): bigint =>
  BigInt(streams.reduce((reach, { events }) => events.reduce((most, { index }) => Math.max(most, index + 1), reach), 0))

/**
 * Verifies the checkpoints of evidence: their signatures, that the last one continues the others, that the auditor knows the
 * key of the last one, and that enough witnesses have cosigned one that covers every event.
 * Answers them in their order, null for one that is not to be believed.
 */
export const verifyCheckpoints = (
  evidence: Evidence,
  policy: EvidencePolicy,
  report: Report,
): ReadonlyArray<ReadCheckpoint | null> => {
  const keys = keysOf(evidence, report)
  const read = evidence.checkpoints.map(({ note }, place) =>
    readCheckpoint(note, place, keys, policy.witnesses, report),
  )
  const sound = read.filter((each) => each !== null)
  for (const key of keys)
    if (!sound.some(({ note }) => hasSigned(note)(key))) report({ _tag: 'IdleKey', name: key.name })
  const last = read.at(-1)
  if (last === undefined) report({ _tag: 'NoCheckpoint' })
  if (last === undefined || last === null) return read
  const { origin } = last.checkpoint
  if (!policy.logs.some((key) => key.name === origin && keys.some(isSame(key)) && hasSigned(last.note)(key)))
    report({ _tag: 'UnknownLogKey', name: origin })
  for (const [place, { consistency }] of evidence.checkpoints.entries()) {
    const older = read[place]
    if (older === null || older === undefined) continue
    const isSound = older === last ? consistency.length === 0 : isContinued(older, last, consistency)
    if (!isSound) report({ _tag: 'NotContinued', place })
  }
  const cosigned = sound
    .filter(({ checkpoint }) => checkpoint.size >= reachOf(evidence))
    .map(({ cosignedAt }) => [...cosignedAt.keys()])
    .reduce((most, names) => (names.length > most.length ? names : most), [])
  if (cosigned.length < policy.quorum) report({ _tag: 'TooFewWitnesses', wanted: policy.quorum, cosigned })
  return read
}

import {
  type Checkpoint,
  parseCheckpoint,
  parseNote,
  type VerifiedSignature,
  type VerifierKey,
  verifyNote,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import type { CheckpointFailure } from './failure.ts'

/** A checkpoint that keys of its log have signed. */
export type KnownCheckpoint = {
  readonly note: string
  readonly checkpoint: Checkpoint
  readonly signatures: ReadonlyArray<VerifiedSignature>
}

/** Reads a checkpoint that one of these keys has signed; null for any other text. */
export const knownCheckpoint = (note: string, keys: ReadonlyArray<VerifierKey>): KnownCheckpoint | null => {
  const parsed = parseNote(note)
  if (E.isLeft(parsed)) return null
  const signatures = verifyNote(parsed.right, keys)
  const checkpoint = parseCheckpoint(parsed.right.text)
  if (E.isLeft(signatures) || E.isLeft(checkpoint)) return null
  const isOwn = keys.some(({ name }) => name === checkpoint.right.origin)
  return isOwn ? { note, checkpoint: checkpoint.right, signatures: signatures.right } : null
}

const larger = (one: KnownCheckpoint | null, other: KnownCheckpoint): KnownCheckpoint =>
  one === null || other.checkpoint.size >= one.checkpoint.size ? other : one

/**
 * The largest checkpoint that this deployment remembers to have signed by these keys: in its database, or in the file beside
 * it, which no backup brings back. Null before the first.
 */
export const largestCheckpoint = async (
  { latestCheckpoint, keptCheckpoints }: Pick<Services, 'latestCheckpoint' | 'keptCheckpoints'>,
  keys: ReadonlyArray<VerifierKey>,
): Promise<E.Either<CheckpointFailure, KnownCheckpoint | null>> => {
  const kept = E.tryCatch(
    () => keptCheckpoints?.newest() ?? [],
    (cause) => cause,
  )
  if (E.isLeft(kept)) return E.left({ _tag: 'CheckpointsNotKept', cause: kept.left })
  const inDatabase = await latestCheckpoint.note()
  const notes = inDatabase === null ? kept.right : [...kept.right, inDatabase]
  const known = notes.flatMap((note) => knownCheckpoint(note, keys) ?? [])
  return E.right(known.reduce<KnownCheckpoint | null>(larger, null))
}

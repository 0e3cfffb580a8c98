import { type Checkpoint, parseCheckpoint, parseNote, type VerifierKey, verifyNote } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { notesIn } from '../../stores/kept-checkpoints.ts'

/** A checkpoint as somebody has kept it. `isSigned`: one of the keys that were given has signed it; null without keys. */
export type ReadCheckpoint = Checkpoint & { readonly isSigned: boolean | null }

const readOne = (note: string, keys: ReadonlyArray<VerifierKey>): ReadCheckpoint | null => {
  const parsed = parseNote(note)
  if (E.isLeft(parsed)) return null
  const checkpoint = parseCheckpoint(parsed.right.text)
  if (E.isLeft(checkpoint)) return null
  const { origin } = checkpoint.right
  const named = keys.filter(({ name, type }) => name === origin && type === 'ed25519')
  return {
    ...checkpoint.right,
    isSigned: keys.length === 0 ? null : E.isRight(verifyNote(parsed.right, named)),
  }
}

/**
 * Reads checkpoints from a file: one signed note, as a service shows it, or a line of JSON for each, as a data directory
 * keeps them. Of the latter, those of the log that the last one names. Null if the text holds no checkpoint.
 */
export const readCheckpoints = (
  text: string,
  keys: ReadonlyArray<VerifierKey>,
): ReadonlyArray<ReadCheckpoint> | null => {
  const alone = readOne(text, keys)
  if (alone !== null) return [alone]
  const kept = notesIn(text).flatMap((note) => readOne(note, keys) ?? [])
  const last = kept.at(-1)
  return last === undefined ? null : kept.filter(({ origin }) => origin === last.origin)
}

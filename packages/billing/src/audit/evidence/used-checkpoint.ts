import { printCheckpoint, printNote, printVerifierKey, type VerifierKey } from '@quittance/transparency'
import { knownCheckpoint } from '../transparency/known-checkpoints.ts'

/** A checkpoint with the keys that have signed it, and no other signatures. */
export type UsedCheckpoint = { readonly note: string; readonly size: bigint; readonly keys: ReadonlyArray<string> }

/**
 * A checkpoint with only the signatures by these keys: nobody could verify others by the bundle. Null unless one of them is a key of
 * its log.
 */
export const usedCheckpoint = (note: string, of: ReadonlyArray<VerifierKey>): UsedCheckpoint | null => {
  const known = knownCheckpoint(note, of)
  if (known === null) return null
  const { checkpoint, signatures } = known
  if (!signatures.some(({ key }) => key.type === 'ed25519' && key.name === checkpoint.origin)) return null
  const text = printCheckpoint(checkpoint)
  const keys = signatures.map(({ key }) => printVerifierKey(key))
  return { note: printNote({ text, signatures }), size: checkpoint.size, keys }
}

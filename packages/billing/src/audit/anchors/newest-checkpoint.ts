import { asText, type Text } from '@quittance/domain'
import { parseVerifierKey, printCheckpoint, printNote } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { knownCheckpoint } from '../transparency/known-checkpoints.ts'
import { stateOfLog } from '../transparency/log-identity.ts'

/** A checkpoint's text, and the lines of its signatures by keys of the log. */
type SignedCheckpoint = { readonly checkpoint: Text; readonly signatures: Text }

/** The newest checkpoint that a key of the log has signed; null if there is none. */
export const newestCheckpoint = async (
  services: Pick<Services, 'store' | 'latestCheckpoint'>,
): Promise<E.Either<StoreUnavailable, SignedCheckpoint | null>> => {
  const note = await services.latestCheckpoint.note()
  if (note === null) return E.right(null)
  const state = await stateOfLog(services)
  if (E.isLeft(state)) return state
  const keys = state.right.logs
    .flatMap(({ vkeys }) => vkeys.map(parseVerifierKey))
    .flatMap((key) => (E.isRight(key) ? [key.right] : []))
  const known = knownCheckpoint(note, keys)
  if (known === null) return E.right(null)
  const text = printCheckpoint(known.checkpoint)
  const signed = printNote({ text, signatures: known.signatures })
  return E.right({ checkpoint: asText(text), signatures: asText(signed.slice(text.length + 1)) })
}

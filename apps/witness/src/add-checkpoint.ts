import {
  continueFrom,
  cosign,
  parseCheckpoint,
  printNote,
  printSignature,
  readSubmission,
  type SubmittedCheckpoint,
  type TreeHead,
  textOfUtf8,
  type VerifierKey,
  type WitnessRefusal,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Witness } from './open-witness.ts'
import type { Latest } from './state.ts'

/** The clock, in Unix milliseconds. */
export type Clock = () => number

/** Whoever loses twice finds a larger checkpoint: the first time there may have been none, the second time one without leaves. */
const maxTurns = 3

const headOf = (latest: Latest | null): TreeHead | null => {
  if (latest === null) return null
  const checkpoint = parseCheckpoint(latest.text)
  if (E.isLeft(checkpoint)) throw new Error('The database of the witness holds a text that is no checkpoint')
  return checkpoint.right
}

/** Decides by what is stored, cosigns, and stores, if what is stored is still the same. Null: it is not. */
const attempt = async (
  { key, sign, state }: Witness,
  clock: Clock,
  submitted: SubmittedCheckpoint,
): Promise<E.Either<WitnessRefusal, string> | null> => {
  const { text, signatures, checkpoint } = submitted
  const latest = state.latest(checkpoint.origin)
  const continued = continueFrom(headOf(latest), submitted)
  if (E.isLeft(continued)) return continued
  // Between reading the latest checkpoint and storing this one, so that the cosignature tells the truth of this time.
  const time = BigInt(Math.floor(clock() / 1000))
  const cosignature = await cosign(key, sign, text, time)()
  if (E.isLeft(cosignature)) return cosignature
  const note = printNote({ text, signatures: [...signatures, cosignature.right] })
  const isStored = state.replace(checkpoint.origin, latest?.text ?? null, { text, note })
  return isStored ? E.right(printSignature(cosignature.right)) : null
}

/**
 * Answers a request to cosign: the line of our cosignature, once the checkpoint is stored.
 * Of two requests that continue the same checkpoint, one is stored; the other is decided again, and told the new size.
 * Errors: `WitnessRefusal`. Source: c2sp.org/tlog-witness, "add-checkpoint".
 */
export const addCheckpoint =
  (witness: Witness, logs: ReadonlyArray<VerifierKey>, clock: Clock) =>
  async (body: Uint8Array): Promise<E.Either<WitnessRefusal, string>> => {
    const text = textOfUtf8(body)
    const submitted = text === null ? E.left({ _tag: 'MalformedRequest' as const }) : readSubmission(logs, text)
    if (E.isLeft(submitted)) return submitted
    for (let turn = 0; turn < maxTurns; turn++) {
      const answer = await attempt(witness, clock, submitted.right)
      if (answer !== null) return answer
    }
    throw new Error('The latest checkpoint can neither be continued nor has it grown')
  }

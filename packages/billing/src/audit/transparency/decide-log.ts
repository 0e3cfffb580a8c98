import * as E from 'fp-ts/lib/Either.js'
import type { CheckpointFailure } from './failure.ts'
import { type LogDecision, recordNewBeginning, recordNewKey } from './log-identity.ts'
import { type CheckpointServices, signCheckpoint } from './sign-checkpoint.ts'

/** Why a log does not begin again. `LogContinues`: nothing is in its way; it goes on under its name. */
export type BeginAgainFailure = CheckpointFailure | { readonly _tag: 'LogContinues'; readonly origin: string }

/**
 * Gives a log another name and key, and signs its first checkpoint. Only where it does not continue what was signed: else it
 * goes on under its name. Killed after it was recorded, the next checkpoint is the first one.
 */
export const beginAgain = async (
  services: CheckpointServices,
  decision: LogDecision,
): Promise<E.Either<BeginAgainFailure, string>> => {
  const signed = await signCheckpoint(services)
  if (E.isRight(signed)) return E.left({ _tag: 'LogContinues', origin: signed.right.split('\n', 1).join() })
  if (signed.left._tag !== 'CheckpointNotContinued') return signed
  const begun = await recordNewBeginning(services, decision)
  return E.isLeft(begun) ? begun : signCheckpoint(services)
}

/**
 * Signs with another key from now on, beside those before it. Nothing is recorded where no checkpoint can be signed for any
 * other cause than a lacking key.
 */
export const rotateKey = async (
  services: CheckpointServices,
  decision: LogDecision,
): Promise<E.Either<CheckpointFailure, string>> => {
  const signed = await signCheckpoint(services)
  if (E.isLeft(signed) && signed.left._tag !== 'LogKeyLacking') return signed
  const rotated = await recordNewKey(services, decision)
  return E.isLeft(rotated) ? rotated : signCheckpoint(services)
}

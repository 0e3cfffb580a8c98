import { Intent, type IntentDetails, IntentId, idTime, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'

const longestMemoBytes = 28

/** The money to send, and the time of the fact that it follows from. */
export type WantedIntent = IntentDetails & { readonly at: UnixMs }

/** The id of an owner's (`rf_…`, `exc_…`) only intent. Throws for an owner that is no id. */
export const intentIdOf = ({ environment }: Pick<Scope, 'environment'>, owner: string): IntentId => {
  const madeAt = idTime(owner)
  if (madeAt === null) throw new RangeError(`${owner} is no id`)
  return createdId(IntentId, madeAt, derivedCommandId(environment, owner))
}

/**
 * Records that money is to go out; the worker sends it, and reports the outcome to the owner. An owner has one intent for
 * ever: repeated requests write nothing. Throws for what no transaction can hold: a memo of more than 28 bytes of UTF-8,
 * or an amount that is not positive.
 */
export const recordIntent = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  { at, ...details }: WantedIntent,
): Promise<E.Either<ExecuteFailure, IntentId>> => {
  const { action, memo, owner } = details
  if (('amount' in action && action.amount <= 0n) || Buffer.byteLength(memo ?? '') > longestMemoBytes)
    throw new RangeError(`no transaction can hold the intent of ${owner}`)
  const id = intentIdOf(scope, owner)
  const context = stepContextOf(scope, owner, 'record intent', at)
  const recorded = await step(store)(Intent, id, context, Intent.decider.decide({ type: 'RecordIntent', ...details }))
  return E.isLeft(recorded) ? recorded : E.right(id)
}

import { Intent, type IntentDetails, IntentId, idTime, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type ExecuteFailure, step } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'

const longestMemoBytes = 28

/** What is to be paid, and the time of what it follows from. */
export type WantedIntent = IntentDetails & { readonly at: UnixMs }

/** The one intent of an owner (`rf_…`, `exc_…`), whenever it is asked for. Throws for an owner that is no id. */
export const intentIdOf = ({ environment }: Pick<Scope, 'environment'>, owner: string): IntentId => {
  const madeAt = idTime(owner)
  if (madeAt === null) throw new RangeError(`${owner} is no id`)
  return createdId(IntentId, madeAt, derivedCommandId(environment, owner))
}

/**
 * Records that money is to go out; the worker brings it there, and tells the owner of the end. An owner has one intent
 * for ever: asked for again, the first stands, and nothing is written. Throws for what no transaction can hold: a memo of
 * more than 28 bytes of UTF-8, or no amount.
 */
export const recordIntent =
  ({ store }: Services) =>
  (scope: Scope, { at, ...details }: WantedIntent): TE.TaskEither<ExecuteFailure, IntentId> =>
  async () => {
    const { action, memo, owner } = details
    if (('amount' in action && action.amount <= 0n) || Buffer.byteLength(memo ?? '') > longestMemoBytes)
      throw new RangeError(`no transaction can hold the intent of ${owner}`)
    const id = intentIdOf(scope, details.owner)
    const context = stepContext(scope, derivedCommandId(scope.environment, details.owner), 'record intent', at)
    const decide = Intent.decider.decide({ type: 'RecordIntent', ...details })
    return E.map(() => id)(await step(store)(Intent, id, context, decide))
  }

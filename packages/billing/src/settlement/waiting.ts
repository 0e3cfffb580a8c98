import { type Environment, Intent } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type ExecuteFailure, execute } from '../execute.ts'
import { stepContext, unlessRejected } from '../processes/steps.ts'
import { dueBy, type Outgoing } from './walk.ts'

/** So many transactions in a row that died or failed are enough: something is wrong that sending does not cure. */
const mostAttempts = 5

/** What waits and may be tried, read as far as it is asked for; what was met on the way and may not is `tired`. */
export function* stillWaiting(
  outgoing: Outgoing,
  environment: Environment,
  tired: Array<Found<IntentRow>>,
): Generator<Found<IntentRow>, undefined> {
  for (const due of outgoing.services.readModels.intents.due(environment, dueBy(outgoing))) {
    if (due.row.status !== 'waiting') continue
    if (due.row.attempts < mostAttempts) yield due
    else tired.push(due)
  }
}

/** Ends them: their owners are told that nothing was paid. */
export const giveUp = async (
  { services, walked }: Outgoing,
  tired: ReadonlyArray<Found<IntentRow>>,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const intent of tired) {
    const context = stepContext(intent, `${intent.environment}/${intent.id}`, 'give up', walked.closedAt)
    const decide = Intent.decider.decide({ type: 'GiveUpIntent', reason: 'attempts_exhausted' })
    const givenUp = unlessRejected(await execute(services.store)(Intent, intent.id, context, decide)())
    if (E.isLeft(givenUp)) return givenUp
  }
  return E.right(undefined)
}

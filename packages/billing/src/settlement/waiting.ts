import {
  asText,
  type Environment,
  type GiveUpReason,
  Intent,
  type IntentAction,
  secondMs,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import { mandateNumbers } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type ExecuteFailure, execute } from '../execute.ts'
import { stepContext, unlessRejected } from '../processes/steps.ts'
import { dueBy, leastLeftMs, type Outgoing } from './walk.ts'

/** So many transactions in a row that died or failed are enough: something is wrong that sending does not cure. */
const mostAttempts = 5

const periodOver = asText(mandateNumbers.PeriodOver.toString())

/** An intent that is not sent any more, and why. */
export type Spent = { readonly intent: Found<IntentRow>; readonly reason: GiveUpReason; readonly code?: Text }

/** What waits and may be tried, read as far as it is asked for; what was met on the way and never may is `spent`. */
export function* stillWaiting(
  outgoing: Outgoing,
  environment: Environment,
  spent: Array<Spent>,
): Generator<Found<IntentRow>, undefined> {
  for (const due of outgoing.services.readModels.intents.due(environment, dueBy(outgoing))) {
    if (due.row.status !== 'waiting') continue
    const time = timeFor(due.row.details.action, outgoing.walked.closedAt)
    if (due.row.attempts >= mostAttempts) spent.push({ intent: due, reason: 'attempts_exhausted' })
    else if (time === 'over') spent.push({ intent: due, reason: 'simulation_failed', code: periodOver })
    else if (time === 'now') yield due
  }
}

/** A charge needs a ledger of its period that has closed, to be simulated, and time for one that will. */
const timeFor = (action: IntentAction, closedAt: UnixMs): 'now' | 'later' | 'over' => {
  switch (action._tag) {
    case 'payment':
    case 'mandate_cancellation':
    case 'change_trust':
    case 'create_account':
      return 'now'
    case 'charge': {
      const { periodStart, periodEnd } = action
      if (closedAt >= periodEnd) return 'over'
      return closedAt >= periodStart && closedAt + leastLeftMs < periodEnd - secondMs ? 'now' : 'later'
    }
  }
}

/** Ends them: their owners are told that nothing was paid. */
export const giveUp = async (
  { services, walked }: Outgoing,
  spent: ReadonlyArray<Spent>,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const { intent, ...why } of spent) {
    const context = stepContext(intent, `${intent.environment}/${intent.id}`, 'give up', walked.closedAt)
    const decide = Intent.decider.decide({ type: 'GiveUpIntent', ...why })
    const givenUp = unlessRejected(await execute(services.store)(Intent, intent.id, context, decide)())
    if (E.isLeft(givenUp)) return givenUp
  }
  return E.right(undefined)
}

import { Subscription, type SubscriptionCommand, type SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { execute } from '../execute.ts'
import { stepContext, unlessRejected } from '../processes/steps.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

/**
 * Records what a step has come to. Where the state has moved on meanwhile, what is next is asked for again. That attempts
 * are stopped alarms the operator: it is about no money that could go anywhere, so it is no exception.
 */
export const recordStep =
  ({ services, walked, raise }: Carrying, { scope, id, cause }: Standing<SubscriptionRecord>, step: string) =>
  async (command: SubscriptionCommand): Taken => {
    const context = stepContext(scope, cause, step, walked.closedAt)
    const decide = Subscription.decider.decide(command)
    const told = unlessRejected(await execute(services.store)(Subscription, id, context, decide)())
    const isStopped =
      E.isRight(told) &&
      told.right?.events.some(
        ({ type, metadata }) => type === 'AttemptsStopped' && metadata.commandId === context.commandId,
      )
    if (isStopped === true) raise({ _tag: 'AttemptsStopped', subscriptionId: id })
    return E.map(() => true)(told)
  }

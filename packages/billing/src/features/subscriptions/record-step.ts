import { Subscription, type SubscriptionCommand, type SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { execute } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { unlessRejected } from '../../services/steps.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

/** Records what a step has come to. Where the state has moved on meanwhile, what is next is asked for again. */
export const recordStep =
  ({ services, ingested }: Carrying, { scope, id, cause }: Standing<SubscriptionRecord>, step: string) =>
  async (command: SubscriptionCommand): Taken => {
    const context = stepContext(scope, cause, step, ingested.closedAt)
    const decide = Subscription.decider.decide(command)
    return E.map(() => true)(unlessRejected(await execute(services.store)(Subscription, id, context, decide)))
  }

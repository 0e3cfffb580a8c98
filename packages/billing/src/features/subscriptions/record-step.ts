import { Subscription, type SubscriptionCommand, type SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { stepUnless } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

/** Rejections of a step that fell due in a state that a charge, a person or another process has changed since. */
const movedOn = [
  'SubscriptionIsCanceled',
  'StatusForbids',
  'NotDue',
  'AttemptUnderWay',
  'AttemptNotFound',
  'OtherChargeDue',
  'OtherPriceCounts',
  'AttemptsAreStopped',
  'ChargeHasSucceeded',
  'NotPaused',
  'CancellationIsDue',
  'CancellationNotScheduled',
  'AuthorizationWasRevoked',
  'AuthorizationNotNeeded',
  'MandateUnknown',
] as const

/** Records the outcome of a step. Where the state has moved on meanwhile, the next step is read from the new state. */
export const recordStep =
  ({ services, ingested }: Carrying, { scope, id, cause }: Standing<SubscriptionRecord>, name: string) =>
  async (command: SubscriptionCommand): Taken => {
    const context = stepContext(scope, cause, name, ingested.closedAt)
    const decide = Subscription.decider.decide(command)
    return E.map(() => true)(await stepUnless(services.store)(movedOn, Subscription, id, context, decide))
  }

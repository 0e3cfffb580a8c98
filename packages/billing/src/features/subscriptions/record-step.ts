import { Subscription, type SubscriptionCommand, type SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { CurrentSubscription, DueWork, StepTaken } from './due-work.ts'

/** Rejections that a charge, a person or another process can cause after the step fell due. */
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

/** Records the outcome of a step. If the state has moved on, the next step is read from the new state. */
export const recordStep =
  ({ services, ingested }: DueWork, { scope, id, cause }: CurrentSubscription<SubscriptionRecord>, name: string) =>
  async (command: SubscriptionCommand): StepTaken => {
    const context = stepContext(scope, cause, name, ingested.closedAt)
    const decide = Subscription.decider.decide(command)
    return E.map(() => true)(await stepUnless(services.store)(movedOn, Subscription, id, context, decide))
  }

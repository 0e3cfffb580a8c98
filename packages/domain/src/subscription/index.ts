import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { SubscriptionCommand } from './commands.ts'
import { decide } from './decide.ts'
import { SubscriptionEvent } from './events.ts'
import { evolve, initial } from './evolve.ts'
import type { SubscriptionRejection } from './rejections.ts'
import type { SubscriptionState } from './state.ts'

export const Subscription: Aggregate<SubscriptionCommand, SubscriptionEvent, SubscriptionState, SubscriptionRejection> =
  {
    category: 'subscription',
    decider: { initial, evolve, decide },
    events: eventFormat(SubscriptionEvent),
  }

export {
  AlarmCause,
  AuthorizationKind,
  AuthorizationReason,
  CancellationReason,
  ChargeReason,
  DelayCause,
  FailureCause,
  FailureOutcome,
  outcomeOf,
  PaymentAsideReason,
  RetryCause,
} from './causes.ts'
export type { SubscriptionCommand } from './commands.ts'
export { type Entitlement, entitlementAt } from './entitlement.ts'
export { ChargeAttempt, ChargeFailure, Invoice, SubscriptionDetails, type SubscriptionEvent } from './events.ts'
export { type NextCharge, nextPeriodStart } from './next-charge.ts'
export { dueAt, nextStep, type SubscriptionStep } from './next-step.ts'
export { indexAt, periodOf, startOf } from './period.ts'
export type { SubscriptionRejection } from './rejections.ts'
export {
  type Attempt,
  SubscriptionRecord,
  type SubscriptionState,
  SubscriptionStatus,
} from './state.ts'
export { Anchor, Approval, Cycle, FiatPrice, Mandate, Period, SubscriptionTerms } from './terms.ts'

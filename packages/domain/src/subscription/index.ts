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
export { ChargeAttempt, ChargeFailure, Invoice, SubscriptionDetails, SubscriptionEvent } from './events.ts'
export { indexAt, periodOf, startOf } from './period.ts'
export type { SubscriptionRejection } from './rejections.ts'
export type { Attempt, Subscription as SubscriptionRecord, SubscriptionState, SubscriptionStatus } from './state.ts'
export { Anchor, Approval, Cycle, FiatPrice, Mandate, Period, SubscriptionTerms } from './terms.ts'

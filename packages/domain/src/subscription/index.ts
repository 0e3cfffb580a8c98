import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { SubscriptionCommand } from './commands.ts'
import { decide } from './decide.ts'
import { SubscriptionEvent } from './events.ts'
import { evolve, initial } from './evolve.ts'
import type { SubscriptionRejection } from './rejections.ts'
import type { SubscriptionState } from './state.ts'

/** The rules of a subscription, and how its events are written and read. */
export const Subscription: Aggregate<SubscriptionCommand, SubscriptionEvent, SubscriptionState, SubscriptionRejection> =
  {
    category: 'subscription',
    decider: { initial, evolve, decide },
    events: eventFormat(SubscriptionEvent),
  }

export { needsMigration, placeOfMandate } from './authorization.ts'
export { isLivingAt } from './canceling.ts'
export { type AlarmCause, type CertainRefusal, FailureCause, UnsettledCause } from './causes.ts'
export { stopAt } from './charging.ts'
export type { SubscriptionCommand } from './commands.ts'
export { invoiceEnd } from './confirming.ts'
export { accessEndsAt, type Entitlement, entitlementAt } from './entitlement.ts'
export { type AgreedRate, SubscriptionDetails, type SubscriptionEvent } from './events.ts'
export { offeredIn } from './evolve-authorization.ts'
export { stuckFor } from './failing.ts'
export { chargeDueAt, type NextCharge, nextChargeAt, nextPeriodStart } from './next-charge.ts'
export { dueAt, nextStep, type Stopped, type SubscriptionStep } from './next-step.ts'
export { priceAhead, waitingPriceChange } from './pending-price.ts'
export { indexAt } from './period.ts'
export type { SubscriptionRejection } from './rejections.ts'
export { SubscriptionRecord, type SubscriptionState, type SubscriptionStatus } from './state.ts'
export { type Approval, type Cycle, type FiatPrice, type LostPeriods, Period, SubscriptionTerms } from './terms.ts'
export { hasFailedUnsettled, unsettledAt, withoutRate } from './unsettled.ts'

import type { EventType, SubscriptionEvent, UnixMs } from '@quittance/domain'
import { grantChanged } from './access-facts.ts'
import { type Kind, keep, type Recall } from './memory.ts'
import { isEntitling, Standing, standingAfter, started } from './standing.ts'
import { both, nothing, type Telling, tell } from './told.ts'

const standings: Kind<Standing> = { name: 'subscription', codec: Standing }

/** What is told by the fact alone. */
const plain: Readonly<
  Record<Exclude<SubscriptionEvent['type'], 'ChargeConfirmed' | 'ChargeFailed' | 'InvoiceSettled'>, EventType | null>
> = {
  SubscriptionStarted: 'subscription.created',
  TrialEndAnnounced: 'subscription.trial_will_end',
  RenewalAnnounced: 'subscription.renewal_upcoming',
  PeriodsForgiven: null,
  ChargeAttempted: null,
  ChargeHandedOver: null,
  ChargeDelayed: null,
  // An exception is opened for it.
  PaymentSetAside: null,
  AttemptsStopped: null,
  AttemptsAllowed: null,
  OperatorAlarmed: null,
  RetryRequested: null,
  // Once more, before the last attempt.
  FinalNoticeGiven: 'subscription.past_due',
  BecameOverdue: 'subscription.overdue',
  Paused: 'subscription.paused',
  ResumeRequested: null,
  Resumed: 'subscription.resumed',
  ResumeFailed: 'subscription.resume_failed',
  CancellationScheduled: 'subscription.cancellation_scheduled',
  CancellationUndone: 'subscription.cancellation_undone',
  SubscriptionCanceled: 'subscription.canceled',
  MandateCancellationSent: null,
  MandateEnded: null,
  AuthorizationRevoked: 'subscription.authorization_revoked',
  AuthorizationRequested: 'subscription.updated',
  MandateReplaced: 'subscription.updated',
  AllowanceSeen: 'subscription.updated',
  ExpiryAnnounced: 'subscription.authorization_expiring',
  ProductSwapped: 'subscription.updated',
  SwapPending: 'subscription.updated',
  SwapDropped: 'subscription.updated',
  MetadataChanged: 'subscription.updated',
}

/** A period that is paid for tells one thing: what was owed is paid, or else the trial is over, or else it goes on. */
const paid = ({ lifecycle, owed, covered }: Standing): EventType | null => {
  // That it goes on is told by the event behind it.
  if (lifecycle === 'resuming') return null
  if (owed !== 'nothing') return 'subscription.recovered'
  return covered === 'trial' ? 'subscription.activated' : 'subscription.renewed'
}

const typeOf = (event: SubscriptionEvent, before: Standing): EventType | null => {
  if (event.type === 'ChargeConfirmed' || event.type === 'InvoiceSettled') return paid(before)
  if (event.type !== 'ChargeFailed') return plain[event.type]
  return event.data.counts && before.owed === 'nothing' ? 'subscription.past_due' : null
}

/** The fact, and the access that begins or ends with it: that which time alone has ended is told with the next fact. */
export const subscriptionFacts = (event: SubscriptionEvent, id: string, recall: Recall, at: UnixMs): Telling => {
  const before = event.type === 'SubscriptionStarted' ? started(event.data) : recall(standings, id)
  if (before === null) throw new Error(`${event.type} of subscription-${id}, which has not begun`)
  const after = event.type === 'SubscriptionStarted' ? before : standingAfter(before, event)
  const type = typeOf(event, before)
  const isSwapped = before.productId !== after.productId
  return both(
    type === null ? nothing : tell(type, id),
    isSwapped ? grantChanged(recall, before, id, false) : nothing,
    grantChanged(recall, after, id, isEntitling(after, at)),
    { told: [], kept: [keep(standings, id, after)] },
  )
}

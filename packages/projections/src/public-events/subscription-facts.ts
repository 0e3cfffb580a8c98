import {
  accountName,
  type EventType,
  entitlementAt,
  type RecordedEvent,
  Subscription,
  type SubscriptionEvent,
  type SubscriptionRecord,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import { decodedBy } from '../decode.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.ts'
import { grantChanged } from './access-facts.ts'
import { type Kind, keep, type Recall } from './memory.ts'
import { allOf, nothing, type Publication, publish, remember } from './publication.ts'

const rows: Kind<SubscriptionRow> = { name: 'subscription', codec: subscriptions.row }
const decode = decodedBy(Subscription)

const byCase = [
  'ChargeConfirmed',
  'ChargeFailed',
  'InvoiceSettled',
  'AuthorizationRequested',
  'PriceChangeDropped',
] as const

/** The public event that the fact alone gives. */
const plain: Readonly<Record<Exclude<SubscriptionEvent['type'], (typeof byCase)[number]>, EventType | null>> = {
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
  // The access that ends with it is revoked.
  AccessEnded: null,
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
  MandateGone: null,
  AuthorizationRevoked: 'subscription.authorization_revoked',
  AuthorizationOffered: null,
  AuthorizationWithdrawn: 'subscription.updated',
  MandateReplaced: 'subscription.updated',
  AllowanceSeen: 'subscription.updated',
  ExpiryAnnounced: 'subscription.authorization_expiring',
  ProductSwapped: 'subscription.updated',
  SwapPending: 'subscription.updated',
  SwapDropped: 'subscription.updated',
  PriceChangeAnnounced: 'subscription.price_change_announced',
  PriceChangeAccepted: 'subscription.price_change_accepted',
  PriceChanged: 'subscription.price_changed',
  PriceChangeRefused: 'subscription.price_change_refused',
  MetadataChanged: 'subscription.updated',
}

/** The payment of a period gives one event: a debt is recovered, or else a trial is over, or else a period is renewed. */
const paid = ({ lifecycle, collection, covered }: SubscriptionRecord): EventType | null => {
  // The event behind it says that the subscription goes on.
  if (lifecycle._tag === 'paused' && lifecycle.resuming !== null) return null
  if (collection._tag !== 'current') return 'subscription.recovered'
  return covered.kind === 'trial' ? 'subscription.activated' : 'subscription.renewed'
}

const typeOf = (event: SubscriptionEvent, before: SubscriptionRecord): EventType | null => {
  if (event.type === 'ChargeConfirmed' || event.type === 'InvoiceSettled') return paid(before)
  if (event.type === 'AuthorizationRequested')
    return event.data.why === 'migration' ? 'subscription.authorization_requested' : 'subscription.updated'
  // Of a later price, another product, or its end, the subscription tells by itself.
  if (event.type === 'PriceChangeDropped') {
    return event.data.why === 'withdrawn' ? 'subscription.price_change_withdrawn' : null
  }
  if (event.type !== 'ChargeFailed') return plain[event.type]
  return event.data.counts && before.collection._tag === 'current' ? 'subscription.past_due' : null
}

const accountOf = ({ details, terms }: SubscriptionRecord) => ({
  customerId: details.customerId,
  productId: terms.productId,
})

/** The fact, and the access that begins or ends with it. Access that time alone has ended is revoked with the next fact. */
export const subscriptionPublisher = (recorded: RecordedEvent, id: string, recall: Recall): Publication => {
  const at = unixMs(recorded.metadata.occurredAt)
  const known = recall(rows, id)
  const row = O.toNullable(subscriptions.fold(O.fromNullable(known), recorded))
  if (row === null) throw new Error(`${recorded.type} of ${recorded.stream}, which has not begun`)
  const before = known ?? row
  const type = typeOf(decode(recorded), before)
  const isSwapped = accountName(accountOf(before)) !== accountName(accountOf(row))
  return allOf(
    type === null ? nothing : publish(type, id),
    isSwapped ? grantChanged(recall, accountOf(before), id, false) : nothing,
    grantChanged(recall, accountOf(row), id, entitlementAt(row, at, at) !== null),
    remember(keep(rows, id, row)),
  )
}

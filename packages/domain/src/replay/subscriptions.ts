import { defaultPolicy } from '../merchant/index.ts'
import { type UnixMs, unixMs } from '../shared/units.ts'
import { Subscription, type SubscriptionCommand, type SubscriptionEvent } from '../subscription/index.ts'
import type { Behind } from './behind.ts'
import { least, most } from './fillers.ts'
import { patchTo } from './patch.ts'
import {
  announcing,
  announcingPrice,
  dropping,
  requesting,
  swapping,
  swappingLater,
} from './subscription-authorizations.ts'
import {
  allowing,
  attempting,
  delaying,
  failing,
  failingToResume,
  forgiving,
  overdue,
  pausing,
  settingAside,
  settling,
  stopping,
} from './subscription-charges.ts'

type Explain = Behind<typeof Subscription>

/** Of those that differ only in what no event tells, the likelier stands before the other. */
export const behindSubscription: Explain = (state, event, next, at) => {
  if (event.type === 'SubscriptionStarted') return [{ type: 'StartSubscription', ...event.data.details }]
  if (state.status === 'absent') return []
  const { type, data } = event
  switch (type) {
    case 'TrialEndAnnounced':
    case 'RenewalAnnounced':
      return announcing(event)
    case 'PeriodsForgiven':
      return forgiving(next[0])
    case 'ChargeAttempted':
      return attempting(data)
    case 'ChargeHandedOver':
      return [{ type: 'HandOverCharge', ...data }]
    case 'ChargeConfirmed':
      return [{ type: 'ConfirmCharge', ...data }]
    case 'ChargeFailed':
      return failing(state, data)
    case 'ChargeDelayed':
      return delaying(data)
    case 'PaymentSetAside':
      return settingAside(state, data)
    case 'AttemptsStopped':
      return stopping(state, data)
    case 'AttemptsAllowed':
      return allowing(data)
    case 'OperatorAlarmed':
      return [{ type: 'AlarmOperator', cause: data.cause, at: data.at }]
    case 'RetryRequested':
      return [{ type: 'RequestRetry', ...data }]
    case 'FinalNoticeGiven':
      return [{ type: 'GiveFinalNotice', ...data }]
    case 'AccessEnded':
      return [{ type: 'EndAccess', ...data }]
    case 'BecameOverdue':
      return overdue(data)
    case 'InvoiceSettled':
      return [settling(data)]
    case 'Paused':
      return pausing(state, data)
    case 'ResumeRequested':
    case 'Resumed':
      return [{ type: 'Resume', at: data.at }]
    case 'ResumeFailed':
      return failingToResume(state, data)
    case 'CancellationScheduled':
      return [{ type: 'Cancel', when: 'period_end', at: data.at }]
    case 'CancellationUndone':
      return [{ type: 'UndoCancellation', ...data }]
    case 'SubscriptionCanceled':
      return ending(data, at)
    case 'MandateCancellationSent':
      return [{ type: 'RecordMandateCancellation', mandateId: data.mandateId, at: data.at }]
    case 'MandateEnded':
      return [{ type: 'RecordMandateEnd', ...data }]
    case 'MandateGone':
      return [{ type: 'EndWithNetwork', at: data.at }]
    case 'AuthorizationRevoked':
      return [{ type: 'RecordMandateEnd', ...data, by: 'customer' }]
    case 'AuthorizationRequested':
      return requesting(state, data, next)
    case 'AuthorizationOffered':
      return [{ type: 'OfferAuthorization', ...data }]
    case 'AuthorizationWithdrawn':
      return [{ type: 'WithdrawMigration', at: data.at }]
    case 'MandateReplaced': {
      const accepted = next[0]?.type === 'PriceChangeAccepted' ? { accepts: next[0].data.priceChangeId } : {}
      return [{ type: 'ReplaceMandate', ...data, ...accepted }]
    }
    case 'AllowanceSeen':
      return [{ type: 'RecordAllowance', ...data }]
    case 'ExpiryAnnounced':
      return [{ type: 'AnnounceExpiry', at: data.at }]
    case 'ProductSwapped':
      return [swapping(state, data, least)]
    case 'SwapPending':
      return swappingLater(state, data, next)
    case 'SwapDropped':
      return [swapping(state, { terms: state.terms, at: data.at }, least)]
    case 'PriceChangeAnnounced':
      return announcingPrice(state, data)
    case 'PriceChanged':
      return [null, least].map((quote) => ({ type: 'ApplyPriceChange', ...named(data), quote }))
    case 'PriceChangeRefused':
      return [null, most].map((quote) => ({ type: 'ApplyPriceChange', ...named(data), quote }))
    case 'PriceChangeDropped':
      return [...dropping(state, data, next), ...afterDrop(state, event, next, at)]
    case 'PriceChangeAccepted':
      return []
    case 'MetadataChanged':
      return [{ type: 'ChangeMetadata', metadata: patchTo(state.metadata, data.metadata) }]
  }
}

type Priced = Extract<SubscriptionEvent, { readonly type: 'PriceChanged' | 'PriceChangeRefused' }>['data']

const named = ({ priceChangeId, at }: Pick<Priced, 'priceChangeId' | 'at'>) => ({
  priceChangeId,
  at,
})

/** What ends a price change stands behind it, and is decided by itself. */
const afterDrop: Explain = (state, event, [second, ...next], at) =>
  second === undefined ? [] : behindSubscription(Subscription.decider.evolve(state, event), second, next, at)

type Ended = Extract<SubscriptionEvent, { readonly type: 'SubscriptionCanceled' }>['data']

/**
 * At its boundary, which may be noticed later, or as it is asked for. Where nothing paid was left, `period_end` and `now` say the
 * same; `period_end` takes less from the customer.
 */
const ending = ({ reason, canceledAt: at }: Ended, recordedAt: UnixMs): ReadonlyArray<SubscriptionCommand> => {
  const atBoundary: SubscriptionCommand = { type: 'EndAtBoundary', at: unixMs(Math.max(at, recordedAt)) }
  switch (reason) {
    case 'requested':
      return [atBoundary, { type: 'Cancel', when: 'period_end', at }, { type: 'Cancel', when: 'now', at }]
    case 'unpaid':
      return [
        { type: 'CancelUnpaid', at, policy: { ...defaultPolicy, afterRetries: 'cancel' } },
        { type: 'CancelUnpaid', at, policy: { ...defaultPolicy, afterRetries: 'overdue' } },
        atBoundary,
      ]
    case 'customer_deleted':
      return [{ type: 'CancelForDeletedCustomer', at }, atBoundary]
    case 'network_reset':
      return [{ type: 'EndWithNetwork', at }, atBoundary]
    case 'revoked':
    case 'price_change':
      return [atBoundary]
  }
}

import type { SubscriptionEvent, UnsettledCause } from '@quittance/domain'
import type { Told } from '../../told.ts'
import { counted, inAsset, inFiat, inWords, moment } from '../../words.ts'
import { stream } from '../streams.ts'
import { failures, own } from './common.ts'

type LifeEvent = Extract<
  SubscriptionEvent,
  {
    readonly type:
      | 'SubscriptionStarted'
      | 'TrialEndAnnounced'
      | 'RenewalAnnounced'
      | 'AccessEnded'
      | 'BecameOverdue'
      | 'Paused'
      | 'ResumeRequested'
      | 'Resumed'
      | 'ResumeFailed'
      | 'CancellationScheduled'
      | 'CancellationUndone'
      | 'SubscriptionCanceled'
      | 'MetadataChanged'
  }
>

const unsettledWords: Readonly<Record<UnsettledCause, string>> = {
  no_rate: 'there was no exchange rate for a week',
  peg_broken: 'the asset had lost its peg for a week',
  charge_failed: 'no charge could be made for a week, for a technical cause',
}

const unsettled = (cause: UnsettledCause | undefined): string | null =>
  cause === undefined ? null : unsettledWords[cause]

const cancellations = {
  requested: 'somebody asked for it',
  unpaid: 'it was not paid',
  revoked: 'the customer ended the mandate on the ledger',
  customer_deleted: 'the customer was deleted',
  price_change: 'the customer did not accept a new price',
  network_reset: 'the network was reset',
} as const

/** What a subscription tells of its beginning, its pauses and its end. */
export const lifeWords = (event: LifeEvent, id: string): Told => {
  switch (event.type) {
    case 'SubscriptionStarted': {
      const { details, period } = event.data
      const { terms, mandate, trialDays, firstPaymentId, checkoutId, customerId } = details
      const every = `${terms.intervalCount === 1 ? '' : `${terms.intervalCount} `}${terms.interval}${terms.intervalCount === 1 ? '' : 's'}`
      return {
        what: `Subscription began: ${inFiat(terms.price)} every ${every}${trialDays === 0 ? '' : `, after a trial of ${counted(trialDays, 'day')}`}`,
        why: `the ledger shows the customer's mandate, for at most ${inAsset(mandate.cap, details.assetId)} a period; the first period ends ${moment(period.end)}`,
        price: terms.price,
        names: [checkoutId, customerId, terms.productId, ...(firstPaymentId === null ? [] : [firstPaymentId])],
        follows: [{ stream: stream.checkout(checkoutId), types: ['EnrolmentSeen', 'CheckoutSettled'] }],
        root: 'ledger',
      }
    }
    case 'TrialEndAnnounced':
      return {
        what: `The customer was told that the trial ends ${moment(event.data.endsAt)}`,
        why: event.data.problem === null ? null : `a simulated charge would fail: ${failures[event.data.problem]}`,
        root: 'clock',
      }
    case 'RenewalAnnounced':
      return {
        what: `The renewal of ${moment(event.data.renewsAt)} was announced`,
        why: event.data.problem === null ? null : `a simulated charge would fail: ${failures[event.data.problem]}`,
        root: 'clock',
      }
    case 'AccessEnded':
      return {
        what: 'Access ended',
        why: 'the time that is paid for, and any grace, is over',
        follows: [own(id, 'ChargeFailed')],
        root: 'clock',
      }
    case 'BecameOverdue': {
      const { invoice } = event.data
      return {
        what: `Charging ended; an invoice for period ${invoice.n} is open until ${moment(invoice.cancelAt)}`,
        why: unsettled(event.data.unsettled) ?? 'all retries have failed, or a cause was not cured in time',
        names: [invoice.invoiceId],
        follows: [own(id, 'ChargeFailed', 'ChargeDelayed')],
        root: 'clock',
      }
    }
    case 'Paused':
      return { what: 'Subscription paused', why: unsettled(event.data.unsettled) ?? 'somebody asked for it' }
    case 'ResumeRequested':
      return { what: 'Resuming asked for; a charge comes first', why: 'the paid period is over' }
    case 'Resumed':
      return {
        what: 'Subscription resumed',
        why:
          event.data.trial === null ? null : `the rest of the trial runs until ${moment(event.data.trial.period.end)}`,
        follows: [own(id, 'ResumeRequested')],
      }
    case 'ResumeFailed':
      return {
        what: 'Resuming failed; the subscription stays paused',
        why: inWords(event.data.cause),
        follows: [own(id, 'ChargeFailed', 'ResumeRequested')],
      }
    case 'CancellationScheduled':
      return {
        what: `Cancellation scheduled for ${moment(event.data.endsAt)}`,
        why: cancellations[event.data.reason],
        follows: event.data.reason === 'requested' ? [] : [own(id, 'AuthorizationRevoked', 'PriceChangeRefused')],
      }
    case 'CancellationUndone':
      return { what: 'Cancellation undone', why: 'somebody asked for it' }
    case 'SubscriptionCanceled':
      return {
        what: 'Subscription canceled',
        why: cancellations[event.data.reason],
        follows: [
          own(
            id,
            ...(event.data.reason === 'unpaid'
              ? (['BecameOverdue', 'ChargeFailed'] as const)
              : (['CancellationScheduled', 'AuthorizationRevoked'] as const)),
          ),
        ],
        root: 'clock',
      }
    case 'MetadataChanged':
      return { what: 'Metadata changed' }
  }
}

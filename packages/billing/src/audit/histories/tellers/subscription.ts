import {
  type FailureCause,
  Subscription,
  type SubscriptionEvent,
  type SubscriptionState,
  type UnsettledCause,
} from '@quittance/domain'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { counted, inAsset, inFiat, inWords, moment, short } from '../words.ts'
import { intentEnds } from './intent.ts'
import { stream } from './streams.ts'

const failures: Readonly<Record<FailureCause, string>> = {
  balance_too_low: "the customer's balance was too low",
  mandate_ended: 'the mandate has ended on the ledger',
  allowance_too_low: 'the approval of the customer allows less than the charge',
  allowance_expired: 'the approval of the customer has run out',
  above_cap: "the price exceeds the mandate's cap",
  no_trustline: 'the customer does not hold the asset any more',
  not_authorized: "the asset's issuer does not let the customer pay with it",
  account_gone: "the customer's account does not exist any more",
  transaction_dead: 'no ledger took the transaction in time',
  not_sent: 'the transaction could not be sent',
  fee_too_low: 'the network asked for a higher fee than we pay',
  contract_refused: 'the contract refused a charge that it should have made',
}

const unsettledWords: Readonly<Record<UnsettledCause, string>> = {
  no_rate: 'there was no exchange rate for a week',
  peg_broken: 'the asset had lost its peg for a week',
  charge_failed: 'no charge could be made for a week, for a technical cause',
}

const unsettled = (cause: UnsettledCause | undefined): string | null =>
  cause === undefined ? null : unsettledWords[cause]

const assetIn = (state: SubscriptionState) =>
  state.status === 'absent' ? null : (state.attempts.at(-1)?.assetId ?? state.details.assetId)

const own = (id: string, ...types: ReadonlyArray<SubscriptionEvent['type']>): Origin => ({
  stream: stream.subscription(id),
  types,
})

const attemptReasons = {
  trial_end: 'the trial has ended',
  renewal: 'a new period has begun',
  retry: 'an earlier charge had failed',
  resume: 'the customer or the merchant wants to resume',
} as const

const retryReasons = {
  funded: "the customer's wallet can pay now",
  cured: 'the ledger shows that the cause of the failure is cured',
  authorized: 'the customer has signed again',
  demand: 'somebody asked for it',
} as const

const attempt = (
  { data }: Extract<SubscriptionEvent, { readonly type: 'ChargeAttempted' }>,
  state: SubscriptionState,
  id: string,
): Told => {
  const { n, k, paymentId, price, amount, rates, why, period } = data
  const assetId = assetIn(state)
  const tries = k === 0 ? '' : `, attempt ${k + 1}`
  return {
    what: `Charge of ${inFiat(price)} attempted for period ${n}${tries}, as ${inAsset(amount, assetId)}`,
    why: `${attemptReasons[why]}: the period runs from ${moment(period.start)} to ${moment(period.end)}`,
    price,
    rates,
    amount: assetId === null ? null : { stroops: amount, assetId },
    names: [paymentId],
    follows:
      why === 'retry' || why === 'resume' ? [own(id, 'RetryRequested', 'ResumeRequested', 'AttemptsAllowed')] : [],
    root: 'clock',
  }
}

const failed = ({ data }: Extract<SubscriptionEvent, { readonly type: 'ChargeFailed' }>, id: string): Told => {
  const { n, k, paymentId, cause, counts, includedIn, retryAt } = data
  const next = retryAt === null ? 'it is not tried again' : `tried again from ${moment(retryAt)} on`
  return {
    what: `Charge for period ${n}${k === 0 ? '' : `, attempt ${k + 1},`} failed; ${next}`,
    why: counts ? failures[cause] : `${failures[cause]}; that is not the customer's doing, and does not count`,
    ledger: includedIn,
    names: [paymentId],
    follows: [
      { stream: stream.payment(paymentId), types: ['PaymentFailed'] },
      intentEnds(paymentId),
      own(id, 'ChargeAttempted'),
    ],
  }
}

const words = (event: SubscriptionEvent, state: SubscriptionState, id: string): Told => {
  const assetId = assetIn(state)
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
    case 'PeriodsForgiven': {
      const { from, to } = event.data
      return {
        what: from === to ? `Period ${from} was forgiven` : `Periods ${from} to ${to} were forgiven`,
        why: 'they ended unpaid, and are not charged any more',
        root: 'clock',
      }
    }
    case 'ChargeAttempted':
      return attempt(event, state, id)
    case 'ChargeHandedOver':
      return {
        what: 'The charge was handed over to be sent',
        names: [event.data.paymentId],
        follows: [own(id, 'ChargeAttempted')],
      }
    case 'ChargeConfirmed':
    case 'InvoiceSettled': {
      const { n, paymentId, amount, period, transactionHash, ledger } = event.data
      return {
        what: `${event.type === 'InvoiceSettled' ? 'The invoice' : 'The charge'} for period ${n} is paid, until ${moment(period.end)}`,
        why: 'a closed ledger holds the money',
        amount: assetId === null ? null : { stroops: amount, assetId },
        transactionHash,
        ledger,
        names: event.type === 'InvoiceSettled' ? [paymentId, event.data.invoiceId] : [paymentId],
        follows: [{ stream: stream.payment(paymentId), types: ['PaymentConfirmed', 'PaymentCredited'] }],
        root: 'ledger',
      }
    }
    case 'ChargeFailed':
      return failed(event, id)
    case 'ChargeDelayed': {
      const causes = {
        no_rate: 'there is no exchange rate that can be trusted',
        no_node: 'no node of the network can be reached',
        no_ledger: 'no ledger has closed lately',
        cause_stands: 'the cause of the last failure is not cured',
      } as const
      return {
        what: `Charge for period ${event.data.n} put off to ${moment(event.data.retryAt)}`,
        why: causes[event.data.cause],
        root: 'clock',
      }
    }
    case 'PaymentSetAside': {
      const { n, paymentId, amount, transactionHash, ledger, reason } = event.data
      const reasons = {
        paid_twice: 'that period was paid already',
        period_forgiven: 'that period was forgiven',
        after_cancellation: 'the subscription was canceled',
      } as const
      return {
        what: `Money for period ${n} was set aside`,
        why: reasons[reason],
        amount: assetId === null ? null : { stroops: amount, assetId },
        transactionHash,
        ledger,
        names: [paymentId],
        follows: [{ stream: stream.payment(paymentId), types: ['PaymentConfirmed'] }],
        root: 'ledger',
      }
    }
    case 'AttemptsStopped':
      return {
        what: `Charges stopped until ${moment(event.data.until)}`,
        why: `${counted(event.data.attempts, 'charge')} reached a ledger within 24 hours`,
        follows: [own(id, 'ChargeFailed')],
      }
    case 'AttemptsAllowed':
      return { what: 'Charges allowed again', why: event.data.reason ?? null }
    case 'OperatorAlarmed':
      return {
        what: 'The operator was alarmed',
        why: event.data.cause === 'charge_stuck' ? 'a charge could not be made' : 'the outcome of a charge was unknown',
        root: 'clock',
      }
    case 'RetryRequested':
      return { what: 'Another charge was asked for at once', why: retryReasons[event.data.cause], root: 'ledger' }
    case 'FinalNoticeGiven':
      return {
        what: 'The customer was told for the last time before charging ends',
        why: 'the last retry comes next',
        follows: [own(id, 'ChargeFailed')],
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
    case 'MandateCancellationSent':
      return {
        what: `The end of mandate ${short(event.data.mandateId)} was sent to the ledger`,
        why: 'it counts no more',
        follows: [own(id, 'SubscriptionCanceled', 'MandateReplaced')],
      }
    case 'MandateEnded':
      return {
        what: `Mandate ${short(event.data.mandateId)} ended on the ledger, by the ${event.data.by}`,
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        follows: [own(id, 'MandateCancellationSent')],
        root: 'ledger',
      }
    case 'MandateGone':
      return { what: `Mandate ${short(event.data.mandateId)} is gone`, why: 'the network was reset', root: 'ledger' }
    case 'AuthorizationRevoked':
      return {
        what: 'The customer ended the mandate on the ledger',
        why: 'it counts as a cancellation',
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        root: 'ledger',
      }
    case 'AuthorizationRequested':
      return {
        what:
          event.data.kind === 'mandate'
            ? 'The customer was asked for a new mandate'
            : 'The customer was asked for a new approval',
        why: inWords(event.data.why),
        names: [event.data.authorizationId],
        follows: [own(id, 'ChargeFailed', 'AuthorizationRevoked', 'SwapPending', 'PriceChangeAnnounced')],
      }
    case 'AuthorizationOffered':
      return {
        what: 'The customer was handed a mandate of another contract to sign',
        names: [event.data.authorizationId],
      }
    case 'AuthorizationWithdrawn':
      return { what: 'The customer is not asked for a new mandate any more', names: [event.data.authorizationId] }
    case 'MandateReplaced':
      return {
        what: `A new mandate counts: at most ${inAsset(event.data.mandate.cap, assetId)} a period, from wallet ${short(event.data.mandate.customer)}`,
        why: 'the customer has signed it, and the ledger shows it',
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        names: [event.data.authorizationId],
        follows: [own(id, 'AuthorizationRequested')],
        root: 'ledger',
      }
    case 'AllowanceSeen':
      return {
        what: `The ledger shows another approval: ${inAsset(event.data.approval.allowance, assetId)}, until ${moment(event.data.approval.expiresAt)}`,
        ledger: null,
        root: 'ledger',
      }
    case 'ExpiryAnnounced':
      return { what: `The customer was told that the approval runs out ${moment(event.data.expiresAt)}`, root: 'clock' }
    case 'ProductSwapped':
      return {
        what: `The plan is another one from the next charge on: ${inFiat(event.data.terms.price)}`,
        price: event.data.terms.price,
        names: [event.data.terms.productId],
        follows: [own(id, 'SwapPending', 'MandateReplaced')],
      }
    case 'SwapPending':
      return {
        what: `Another plan waits for the customer's signature: ${inFiat(event.data.terms.price)}`,
        why: 'the mandate does not allow it',
        price: event.data.terms.price,
        names: [event.data.terms.productId, event.data.authorizationId],
      }
    case 'SwapDropped':
      return { what: 'The other plan that waited was dropped' }
    case 'PriceChangeAnnounced': {
      const { notice } = event.data
      return {
        what: `The customer was told of a new price from ${moment(notice.effectiveAt)} on: ${inFiat(notice.price)}`,
        why: notice.needsConsent ? 'it exceeds what the mandate allows, so the customer has to sign' : null,
        price: notice.price,
        names: [notice.priceChangeId],
        follows: [{ stream: stream.priceChange(notice.priceChangeId), types: ['PriceChangeScheduled'] }],
      }
    }
    case 'PriceChangeAccepted':
      return {
        what: 'The customer accepted the new price',
        why: 'a mandate was signed that allows it',
        names: [event.data.priceChangeId],
        follows: [own(id, 'MandateReplaced')],
      }
    case 'PriceChanged':
      return {
        what: `The price is ${inFiat(event.data.terms.price)} from the next charge on`,
        price: event.data.terms.price,
        names: [event.data.priceChangeId],
        follows: [own(id, 'PriceChangeAnnounced', 'PriceChangeAccepted')],
        root: 'clock',
      }
    case 'PriceChangeRefused':
      return {
        what:
          event.data.outcome === 'keep'
            ? 'The old price stays'
            : 'The subscription ends, since the new price was not accepted',
        why: 'the customer did not sign for the new price in time',
        names: [event.data.priceChangeId],
        follows: [own(id, 'PriceChangeAnnounced')],
        root: 'clock',
      }
    case 'PriceChangeDropped':
      return {
        what: 'The new price that was announced will not count',
        why: inWords(event.data.why),
        names: [event.data.priceChangeId],
        follows: [
          own(id, 'ProductSwapped', 'SubscriptionCanceled'),
          { stream: stream.priceChange(event.data.priceChangeId), types: ['PriceChangeCanceled'] },
        ],
      }
    case 'MetadataChanged':
      return { what: 'Metadata changed' }
  }
}

const cancellations = {
  requested: 'somebody asked for it',
  unpaid: 'it was not paid',
  revoked: 'the customer ended the mandate on the ledger',
  customer_deleted: 'the customer was deleted',
  price_change: 'the customer did not accept a new price',
  network_reset: 'the network was reset',
} as const

export const subscriptionTeller = tellerOf(Subscription, words, namedStatus)

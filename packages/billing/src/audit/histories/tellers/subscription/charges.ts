import type { SubscriptionEvent, SubscriptionState } from '@quittance/domain'
import type { Told } from '../../told.ts'
import { counted, inAsset, inFiat, moment } from '../../words.ts'
import { intentEnds } from '../intent.ts'
import { stream } from '../streams.ts'
import { assetIn, failures, own } from './common.ts'

type ChargeEvent = Extract<
  SubscriptionEvent,
  {
    readonly type:
      | 'PeriodsForgiven'
      | 'ChargeAttempted'
      | 'ChargeHandedOver'
      | 'ChargeConfirmed'
      | 'InvoiceSettled'
      | 'ChargeFailed'
      | 'ChargeDelayed'
      | 'PaymentSetAside'
      | 'AttemptsStopped'
      | 'AttemptsAllowed'
      | 'OperatorAlarmed'
      | 'RetryRequested'
      | 'FinalNoticeGiven'
  }
>

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

/** What charges of a subscription, and money for its periods, tell. */
export const chargeWords = (event: ChargeEvent, state: SubscriptionState, id: string): Told => {
  const assetId = assetIn(state)
  switch (event.type) {
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
  }
}

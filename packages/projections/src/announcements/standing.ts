import { CustomerId, ProductId, type SubscriptionEvent, type SubscriptionStatus, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'

/**
 * How a subscription stands, as far as it decides what is told. `owed`: whether money is, and automatically charged or by
 * an invoice; `coveredUntil` is the end of the trial, or of the last period that was paid for.
 */
export const Standing = t.strict({
  customerId: CustomerId,
  productId: ProductId,
  lifecycle: t.keyof({ running: null, paused: null, resuming: null, canceled: null }),
  owed: t.keyof({ nothing: null, dunning: null, invoice: null }),
  graceUntil: t.union([t.null, UnixMs]),
  covered: t.keyof({ trial: null, paid: null }),
  coveredUntil: UnixMs,
})
export type Standing = t.TypeOf<typeof Standing>

type LaterEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>
type Started = Extract<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>['data']

export const started = ({ details, period }: Started): Standing => ({
  customerId: details.customerId,
  productId: details.terms.productId,
  lifecycle: 'running',
  owed: 'nothing',
  graceUntil: null,
  covered: details.trialDays > 0 ? 'trial' : 'paid',
  coveredUntil: period.end,
})

export const standingAfter = (before: Standing, { type, data }: LaterEvent): Standing => {
  switch (type) {
    case 'ChargeConfirmed':
    case 'InvoiceSettled':
      return { ...before, owed: 'nothing', graceUntil: null, covered: 'paid', coveredUntil: data.period.end }
    case 'ChargeFailed':
      return data.counts && before.owed !== 'invoice'
        ? { ...before, owed: 'dunning', graceUntil: data.graceUntil }
        : before
    case 'BecameOverdue':
      return { ...before, owed: 'invoice' }
    case 'Paused':
    case 'ResumeFailed':
      return { ...before, lifecycle: 'paused' }
    case 'ResumeRequested':
      return { ...before, lifecycle: 'resuming' }
    case 'Resumed': {
      const coveredUntil = data.trial?.period.end ?? before.coveredUntil
      return { ...before, lifecycle: 'running', owed: 'nothing', graceUntil: null, coveredUntil }
    }
    case 'SubscriptionCanceled':
      return { ...before, lifecycle: 'canceled' }
    case 'ProductSwapped':
      return { ...before, productId: data.terms.productId }
    case 'TrialEndAnnounced':
    case 'RenewalAnnounced':
    case 'PeriodsForgiven':
    case 'ChargeAttempted':
    case 'ChargeHandedOver':
    case 'ChargeDelayed':
    case 'PaymentSetAside':
    case 'AttemptsStopped':
    case 'AttemptsAllowed':
    case 'OperatorAlarmed':
    case 'RetryRequested':
    case 'FinalNoticeGiven':
    case 'CancellationScheduled':
    case 'CancellationUndone':
    case 'MandateCancellationSent':
    case 'MandateEnded':
    case 'AuthorizationRevoked':
    case 'AuthorizationRequested':
    case 'MandateReplaced':
    case 'AllowanceSeen':
    case 'ExpiryAnnounced':
    case 'SwapPending':
    case 'SwapDropped':
    case 'MetadataChanged':
      return before
  }
}

export const statusOf = ({ lifecycle, owed, covered }: Standing): SubscriptionStatus => {
  switch (lifecycle) {
    case 'canceled':
      return 'canceled'
    case 'paused':
    case 'resuming':
      return 'paused'
    case 'running': {
      if (owed !== 'nothing') return owed === 'dunning' ? 'past_due' : 'overdue'
      return covered === 'trial' ? 'trialing' : 'active'
    }
  }
}

/** Whether it entitles its customer to its product at a moment. What ends by time alone ends without an event. */
export const isEntitling = (standing: Standing, at: UnixMs): boolean => {
  const { covered, coveredUntil, graceUntil } = standing
  switch (statusOf(standing)) {
    case 'trialing':
    case 'active':
      return true
    case 'past_due':
    case 'overdue':
      return graceUntil !== null && at < graceUntil
    case 'paused':
      return covered === 'paid' && at < coveredUntil
    case 'canceled':
      return false
  }
}

import { Subscription, type SubscriptionEvent, type SubscriptionState } from '@quittance/domain'
import { namedStatus, type Told, tellerOf } from '../../told.ts'
import { chargeWords } from './charges.ts'
import { lifeWords } from './life.ts'
import { mandateWords } from './mandate.ts'
import { planWords } from './plan.ts'

const words = (event: SubscriptionEvent, state: SubscriptionState, id: string): Told => {
  switch (event.type) {
    case 'PeriodsForgiven':
    case 'ChargeAttempted':
    case 'ChargeHandedOver':
    case 'ChargeConfirmed':
    case 'InvoiceSettled':
    case 'ChargeFailed':
    case 'ChargeDelayed':
    case 'PaymentSetAside':
    case 'AttemptsStopped':
    case 'AttemptsAllowed':
    case 'OperatorAlarmed':
    case 'RetryRequested':
    case 'FinalNoticeGiven':
      return chargeWords(event, state, id)
    case 'SubscriptionStarted':
    case 'TrialEndAnnounced':
    case 'RenewalAnnounced':
    case 'AccessEnded':
    case 'BecameOverdue':
    case 'Paused':
    case 'ResumeRequested':
    case 'Resumed':
    case 'ResumeFailed':
    case 'CancellationScheduled':
    case 'CancellationUndone':
    case 'SubscriptionCanceled':
    case 'MetadataChanged':
      return lifeWords(event, id)
    case 'MandateCancellationSent':
    case 'MandateEnded':
    case 'MandateGone':
    case 'AuthorizationRevoked':
    case 'AuthorizationRequested':
    case 'AuthorizationOffered':
    case 'AuthorizationWithdrawn':
    case 'MandateReplaced':
    case 'AllowanceSeen':
    case 'ExpiryAnnounced':
      return mandateWords(event, state, id)
    case 'ProductSwapped':
    case 'SwapPending':
    case 'SwapDropped':
    case 'PriceChangeAnnounced':
    case 'PriceChangeAccepted':
    case 'PriceChanged':
    case 'PriceChangeRefused':
    case 'PriceChangeDropped':
      return planWords(event, id)
  }
}

export const subscriptionTeller = tellerOf(Subscription, words, namedStatus)

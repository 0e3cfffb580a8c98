import {
  nextStep,
  type Policy,
  type Stopped,
  type SubscriptionCommand,
  type SubscriptionRecord,
  type SubscriptionStep,
  type UnixMs,
} from '@quittance/domain'

type Charge = Extract<SubscriptionStep, { readonly _tag: 'attempt_charge' }>['charge']

/** Whether a command tries this charge, delays it or ends its collection. */
const isAbout = ({ n, k, period }: Charge, command: SubscriptionCommand): boolean => {
  switch (command.type) {
    case 'AttemptCharge':
      return command.n === n && command.k === k && command.periodStart === period.start
    case 'DelayCharge':
    case 'EndUnsettled':
      return command.n === n
    default:
      return false
  }
}

/** Whether a command does what a step asks for. */
export const answers = (step: SubscriptionStep, command: SubscriptionCommand): boolean => {
  const { type } = command
  switch (step._tag) {
    case 'nothing':
      return false
    case 'end_at_boundary':
      return type === 'EndAtBoundary'
    // What another process has changed meanwhile turns one into the other.
    case 'hand_over_charge':
    case 'withdraw_charge':
      return type === 'HandOverCharge' && command.paymentId === step.attempt.paymentId
    case 'become_overdue':
      return type === 'BecomeOverdue'
    case 'cancel_unpaid':
      return type === 'CancelUnpaid'
    case 'end_access':
      return type === 'EndAccess'
    case 'give_final_notice':
      return type === 'GiveFinalNotice'
    case 'apply_price_change':
      return type === 'ApplyPriceChange'
    case 'attempt_charge':
      return isAbout(step.charge, command)
    case 'look_at_cause':
      return isAbout(step.charge, command) || (type === 'RequestRetry' && command.cause === 'cured')
    case 'request_authorization':
      return type === 'RequestAuthorization'
    case 'announce_trial_end':
      return type === 'AnnounceTrialEnd'
    case 'announce_renewal':
      return type === 'AnnounceRenewal' && command.n === step.n
    case 'announce_expiry':
      return type === 'AnnounceExpiry'
    case 'cancel_mandate':
      return type === 'RecordMandateCancellation' && command.mandateId === step.mandateId
    case 'alarm_operator':
      return type === 'AlarmOperator'
  }
}

/** What may have been stopped: nothing, by a freeze or a screening, or both. */
const anyStops: ReadonlyArray<Stopped> = [false, true].flatMap((sales) =>
  [false, true].map((charges) => ({ sales, charges })),
)

/**
 * Whether a state asks, at a moment, for what a command does. What a screening held then stands in no stream, so any freeze may
 * have been in force.
 */
export const asksFor = (state: SubscriptionRecord, command: SubscriptionCommand, at: UnixMs, policy: Policy): boolean =>
  anyStops.some((stopped) => answers(nextStep(state, at, policy, stopped), command))

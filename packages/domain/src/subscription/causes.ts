import * as t from 'io-ts'

/**
 * Why money did not come, and what that means: `money`, the balance is too low: it counts, and is tried again by the
 * schedule; `hard`: it counts, and is not tried again before the ledger shows the cause cured; `technical`: not the
 * customer's doing, does not count. `contract_refused` is a refusal that a charge of ours should never meet.
 */
const outcomes = {
  balance_too_low: 'money',
  mandate_ended: 'hard',
  allowance_too_low: 'hard',
  allowance_expired: 'hard',
  above_cap: 'hard',
  no_trustline: 'hard',
  not_authorized: 'hard',
  account_gone: 'hard',
  transaction_dead: 'technical',
  not_sent: 'technical',
  fee_too_low: 'technical',
  contract_refused: 'technical',
} as const

/** Why the money of a charge did not come. */
export const FailureCause = t.keyof(outcomes, 'FailureCause')
export type FailureCause = t.TypeOf<typeof FailureCause>

/** What a contract is sure to refuse by the terms of the mandate alone. */
export type CertainRefusal = Extract<FailureCause, 'mandate_ended' | 'above_cap'>

export const FailureOutcome = t.keyof({ money: null, hard: null, technical: null }, 'FailureOutcome')
export type FailureOutcome = t.TypeOf<typeof FailureOutcome>

/** What a cause means. */
export const outcomeOf = (cause: FailureCause): FailureOutcome => outcomes[cause]

/** Why no attempt could be made. `cause_stands`: a look at a hard cause found it uncured. */
export const DelayCause = t.keyof({ no_rate: null, no_node: null, no_ledger: null, cause_stands: null }, 'DelayCause')
export type DelayCause = t.TypeOf<typeof DelayCause>

/**
 * Why no attempt could settle a charge for a week: there was no rate, the asset had lost its peg, or attempts failed for
 * technical causes.
 */
export const UnsettledCause = t.keyof({ no_rate: null, peg_broken: null, charge_failed: null }, 'UnsettledCause')
export type UnsettledCause = t.TypeOf<typeof UnsettledCause>

/** Why resuming came to nothing: its charge failed or could not be made, too many were tried, or it was paused again. */
export const ResumeFailureCause = t.union(
  [FailureCause, DelayCause, t.keyof({ attempts_stopped: null, paused_again: null })],
  'ResumeFailureCause',
)
export type ResumeFailureCause = t.TypeOf<typeof ResumeFailureCause>

/** What an attempt is for: a trial has ended, a period, one that failed before, or resuming after a pause. */
export const ChargeReason = t.keyof({ trial_end: null, renewal: null, retry: null, resume: null }, 'ChargeReason')
export type ChargeReason = t.TypeOf<typeof ChargeReason>

/** Why a charge is tried again before its time. */
export const RetryCause = t.keyof({ funded: null, cured: null, authorized: null, demand: null }, 'RetryCause')
export type RetryCause = t.TypeOf<typeof RetryCause>

/** Why money that came for a subscription counts for nothing in it. An exception follows for each. */
export const PaymentAsideReason = t.keyof(
  { paid_twice: null, period_forgiven: null, after_cancellation: null },
  'PaymentAsideReason',
)
export type PaymentAsideReason = t.TypeOf<typeof PaymentAsideReason>

export const CancellationReason = t.keyof(
  { requested: null, unpaid: null, revoked: null, customer_deleted: null, price_change: null, network_reset: null },
  'CancellationReason',
)
export type CancellationReason = t.TypeOf<typeof CancellationReason>

/** What is asked of the customer: a new approval for the mandate that stands, or a new mandate. */
export const AuthorizationKind = t.keyof({ allowance: null, mandate: null }, 'AuthorizationKind')
export type AuthorizationKind = t.TypeOf<typeof AuthorizationKind>

/**
 * Why it is asked: a charge failed for a hard cause, or will, by a simulation; the customer has ended the mandate, a swap does
 * not fit it, the approval runs out, the customer wants another wallet to be charged, a new price needs
 * their consent, or the operator moves subscribers to another
 * contract or operator account (`migration`).
 */
export const AuthorizationReason = t.keyof(
  {
    charge_failed: null,
    foreseen: null,
    revoked: null,
    swap_above_cap: null,
    swap_of_interval: null,
    expiring: null,
    wallet_change: null,
    migration: null,
    price_change: null,
  },
  'AuthorizationReason',
)
export type AuthorizationReason = t.TypeOf<typeof AuthorizationReason>

/** What of the customer cures a hard cause; null of one that is not hard. */
export const cureOf = (cause: FailureCause): AuthorizationKind | null => {
  if (outcomeOf(cause) !== 'hard') return null
  return cause === 'allowance_too_low' || cause === 'allowance_expired' ? 'allowance' : 'mandate'
}

/** What the operator has to look at: an attempt without an end, or a charge that cannot be made or sent. */
export const AlarmCause = t.keyof({ outcome_unknown: null, charge_stuck: null }, 'AlarmCause')
export type AlarmCause = t.TypeOf<typeof AlarmCause>

/**
 * Why a new price that was announced will not count: the merchant has canceled it, a later one replaces it, the product was
 * swapped, or the subscription has ended.
 */
export const PriceChangeEnd = t.keyof(
  { withdrawn: null, superseded: null, plan_changed: null, subscription_ended: null },
  'PriceChangeEnd',
)
export type PriceChangeEnd = t.TypeOf<typeof PriceChangeEnd>

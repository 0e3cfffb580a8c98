import {
  AuthorizationId,
  type FiatPrice,
  hasFailedUnsettled,
  InvoiceId,
  isSame,
  LedgerSequence,
  type NextCharge,
  PaymentId,
  type Policy,
  type Stroops,
  type SubscriptionCommand,
  type SubscriptionRecord,
  type SubscriptionStep,
  stroops,
  TransactionHash,
  type UnixMs,
  unixMs,
  withoutRate,
} from '@quittance/domain'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type Evidence, nearest, usualLagMs } from './evidence.ts'
import { simulatedId } from './simulated-id.ts'

type Attempt = SubscriptionRecord['attempts'][number]

/** What a step is taken in. `number` counts the steps, so that no two things have one id. */
export type Stand = {
  readonly state: SubscriptionRecord
  readonly now: UnixMs
  readonly policy: Policy
  readonly evidence: ReadonlyArray<Evidence>
  readonly recorded: ReadonlyArray<Attempt>
  readonly number: number
  /** The other price that the product has; null where it has none. */
  readonly otherPrice: FiatPrice | null
}

/** A transaction that no ledger holds. */
const noTransaction = {
  transactionHash: decodeOrThrow(TransactionHash, '0'.repeat(64)),
  ledger: decodeOrThrow(LedgerSequence, 1),
}

/** The command by which a simulation takes a step; null for nothing to take. */
export const ownStep = (stand: Stand, step: SubscriptionStep): SubscriptionCommand | null => {
  const { now: at, policy, number } = stand
  const authorizationId = simulatedId(AuthorizationId, at, number)
  switch (step._tag) {
    case 'nothing':
      return null
    case 'end_at_boundary':
      return { type: 'EndAtBoundary', at }
    case 'hand_over_charge':
      return { type: 'HandOverCharge', paymentId: step.attempt.paymentId, at }
    case 'withdraw_charge':
      return failed(stand, step.attempt.paymentId, { cause: step.refusal ?? 'not_sent', code: null, includedIn: null })
    case 'become_overdue':
      return { type: 'BecomeOverdue', invoiceId: simulatedId(InvoiceId, at, number), at }
    case 'cancel_unpaid':
      return { type: 'CancelUnpaid', at, policy }
    case 'end_access':
      return { type: 'EndAccess', at }
    case 'give_final_notice':
      return { type: 'GiveFinalNotice', at }
    case 'apply_price_change':
      return { type: 'ApplyPriceChange', priceChangeId: step.priceChange.priceChangeId, quote: null, at }
    case 'attempt_charge':
      return charge(stand, step.charge)
    case 'look_at_cause':
      return look(stand, step.charge)
    case 'request_authorization':
      return { type: 'RequestAuthorization', authorizationId, at }
    case 'announce_trial_end':
      return { type: 'AnnounceTrialEnd', at, problem: null, authorizationId }
    case 'announce_renewal':
      return { type: 'AnnounceRenewal', at, n: step.n, problem: null, authorizationId }
    case 'announce_expiry':
      return { type: 'AnnounceExpiry', at }
    case 'cancel_mandate':
      return { type: 'RecordMandateCancellation', mandateId: step.mandateId, at }
    case 'alarm_operator':
      return { type: 'AlarmOperator', cause: step.cause, at }
  }
}

/** Attempts a charge where the record has attempted the nearest one, and delays it where that was delayed. */
const charge = (stand: Stand, due: NextCharge): SubscriptionCommand => {
  const { state, now: at, policy, evidence, number } = stand
  const { n } = due
  const end = { type: 'EndUnsettled', at, n, invoiceId: simulatedId(InvoiceId, at, number), policy } as const
  if (hasFailedUnsettled(state)) return { ...end, cause: 'charge_failed' }
  const seen = nearest(evidence, at, ['priced', 'stood', 'delayed'])
  if (seen?._tag !== 'delayed') return attempt(stand, due)
  const { cause } = seen
  if (cause !== 'no_rate') return { type: 'DelayCharge', at, n, cause, jitter: 0 }
  const { mayBeAgreed, isEnded } = withoutRate(state, policy, at, cause)
  if (mayBeAgreed) return { ...attempt(stand, due), agreedRates: [] }
  return isEnded ? { ...end, cause } : { type: 'DelayCharge', at, n, cause, jitter: 0 }
}

const attempt = (
  stand: Stand,
  { n, k, period, why }: NextCharge,
): Extract<SubscriptionCommand, { readonly type: 'AttemptCharge' }> => {
  const { state, now: at, number } = stand
  const { price } = state.terms
  const paymentId = simulatedId(PaymentId, at, number)
  return {
    type: 'AttemptCharge',
    at,
    n,
    k,
    periodStart: period.start,
    why,
    paymentId,
    price,
    amount: amountOf(stand, price),
    rates: [],
  }
}

/**
 * What a price took of the asset at the nearest recorded attempt in its currency; nothing where there is none. Another price
 * is assumed to be one that each mandate allows.
 */
export const amountOf = ({ recorded, now, otherPrice, state }: Stand, price: FiatPrice): Stroops => {
  let best: Attempt | null = null
  for (const each of recorded) {
    if (each.price.currency !== price.currency || each.price.cents === 0n) continue
    if (best === null || Math.abs(each.at - now) < Math.abs(best.at - now)) best = each
  }
  const amount = best === null ? 0n : (best.amount * price.cents) / best.price.cents
  const { cap } = state.authorization.mandate
  return stroops(isSame(price, otherPrice) && amount > cap ? cap : amount)
}

/** Whether a hard cause is cured, as the nearest look or attempt of the record has found. */
const look = ({ evidence, now: at }: Stand, { n }: NextCharge): SubscriptionCommand => {
  const seen = nearest(evidence, at, ['paid', 'failed', 'stood', 'cured', 'delayed'])
  const stands = { type: 'DelayCharge', at, n, cause: 'cause_stands', jitter: 0 } as const
  if (seen?._tag === 'stood') return stands
  if (seen?._tag === 'failed' && seen.isHard) return stands
  if (seen?._tag === 'delayed') return { ...stands, cause: seen.cause }
  return { type: 'RequestRetry', cause: 'cured', at }
}

/** How an attempt of the simulation ends, and when: as the nearest recorded one; without any it is paid. */
export const endOf = (
  stand: Stand,
  { paymentId, at: attemptedAt }: Attempt,
): { readonly at: UnixMs; readonly command: SubscriptionCommand } => {
  const seen = nearest(stand.evidence, attemptedAt, ['paid', 'failed', 'stood'])
  const closedAt = unixMs(stand.now + (seen === null || seen._tag === 'stood' ? usualLagMs : seen.lagMs))
  switch (seen?._tag) {
    case undefined:
    case 'paid':
      return { at: closedAt, command: { type: 'ConfirmCharge', paymentId, ...noTransaction, closedAt } }
    case 'failed':
      return { at: closedAt, command: failed({ ...stand, now: closedAt }, paymentId, seen) }
    case 'stood':
      return {
        at: closedAt,
        command: failed({ ...stand, now: closedAt }, paymentId, { cause: seen.cause, code: null, includedIn: null }),
      }
  }
}

type Cause = Pick<Extract<Evidence, { readonly _tag: 'failed' }>, 'cause' | 'code' | 'includedIn'>

const failed = (
  { now: at, policy }: Stand,
  paymentId: PaymentId,
  { cause, code, includedIn }: Cause,
): SubscriptionCommand => ({
  type: 'FailCharge',
  paymentId,
  ...{ cause, code, includedIn },
  at,
  policy,
  jitter: 0,
})

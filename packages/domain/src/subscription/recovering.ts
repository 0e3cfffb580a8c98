import { nothing } from '../shared/decider.ts'
import { count } from '../shared/units.ts'
import type { ChargeReason } from './causes.ts'
import type { RecoverAttempt } from './commands.ts'
import { type Decision, type LaterEvent, record, reject } from './decision.ts'
import { periodOf, startOf } from './period.ts'
import type { SubscriptionRecord } from './state.ts'
import type { Period } from './terms.ts'

/** The period on the schedule, or one that was counted from its own start: after a pause, or for an old invoice. */
const periodAt = ({ anchor, terms }: SubscriptionRecord, { n, periodStart }: RecoverAttempt): Period => {
  const isScheduled = n >= anchor.n && startOf(anchor, terms, n) === periodStart
  return isScheduled ? periodOf(anchor, terms, n) : periodOf({ at: periodStart, n }, terms, n)
}

const reasonOf = ({ covered, lifecycle }: SubscriptionRecord, { k }: RecoverAttempt): ChargeReason => {
  if (lifecycle._tag === 'paused') return 'resume'
  if (k > 0) return 'retry'
  return covered.kind === 'trial' ? 'trial_end' : 'renewal'
}

/**
 * Records an attempt that a closed ledger proves, whatever the log holds due: it was made under rules that counted then.
 * Periods before it that nobody has paid for are forgiven, as they were by that attempt.
 */
export const recoverAttempt = (command: RecoverAttempt, state: SubscriptionRecord): Decision => {
  const { at, n, k, paymentId, mandateId, amount, platformFee } = command
  if (state.attempts.some((attempt) => attempt.paymentId === paymentId)) return nothing
  if (state.authorization.mandate.mandateId !== mandateId) return reject({ _tag: 'MandateMismatch', mandateId })
  const { nextN, lifecycle, terms } = state
  const isForgiving = nextN < n && lifecycle._tag !== 'canceled'
  const forgiven: ReadonlyArray<LaterEvent> = isForgiving
    ? [{ type: 'PeriodsForgiven', data: { from: nextN, to: count(n - 1), at } }]
    : []
  const fee = platformFee === undefined ? {} : { platformFee }
  const attempt = { n, k, paymentId, mandateId, amount, at, ...fee }
  const details = { period: periodAt(state, command), price: terms.price, rates: [], why: reasonOf(state, command) }
  return record(
    ...forgiven,
    { type: 'ChargeAttempted', data: { ...attempt, ...details } },
    { type: 'ChargeHandedOver', data: { paymentId, at } },
  )
}

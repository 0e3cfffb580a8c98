import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { dayMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import type { CertainRefusal } from './causes.ts'
import type { AllowAttempts, AttemptCharge, HandOverCharge } from './commands.ts'
import {
  andThen,
  attemptUnderWay,
  type Decision,
  forbidden,
  type LaterEvent,
  record,
  reject,
  rejectUnderWay,
} from './decision.ts'
import { requestRetry } from './dunning.ts'
import { forgive } from './losing.ts'
import { chargeAt, chargeDueAt, type NextCharge } from './next-charge.ts'
import type { Attempt, SubscriptionRecord } from './state.ts'
import { agreedFrom } from './unsettled.ts'

/** So many attempts that reached a ledger within a day are enough: something is wrong. */
const enoughAttempts = 3

const reachedLedger = ({ attempts, countedFrom }: SubscriptionRecord, at: UnixMs): number => {
  const since = Math.max(at - dayMs, countedFrom ?? 0)
  return attempts.filter(({ includedAt }) => includedAt !== null && includedAt > since).length
}

/** Why the contract is sure to refuse an attempt by the mandate that counts: it needs no ledger to say so. */
export const certainRefusal = ({ authorization }: SubscriptionRecord, { amount }: Attempt): CertainRefusal | null => {
  if (authorization.ended !== null) return 'mandate_ended'
  return amount > authorization.mandate.cap ? 'above_cap' : null
}

const stop = ({ lifecycle }: SubscriptionRecord, attempts: number, at: UnixMs): Decision => {
  const stopped: LaterEvent = {
    type: 'AttemptsStopped',
    data: { attempts: positiveCount(attempts), at, until: unixMs(at + dayMs) },
  }
  return lifecycle._tag === 'paused'
    ? record(stopped, { type: 'ResumeFailed', data: { cause: 'attempts_stopped', at } })
    : record(stopped)
}

const begin = (
  { at, paymentId, amount, rates, agreedRates, platformFee }: AttemptCharge,
  state: SubscriptionRecord,
  due: NextCharge,
): Decision => {
  const { n, k, period, why } = due
  const { mandateId } = state.authorization.mandate
  const { price } = state.terms
  const priced = { price, amount, rates, ...(agreedRates === undefined ? {} : { agreedRates }) }
  const fee = platformFee === undefined ? {} : { platformFee }
  return record(...forgive(state, due, at), {
    type: 'ChargeAttempted',
    data: { n, k, paymentId, mandateId, period, ...priced, why, at, ...fee },
  })
}

/** Agreed rates are old: they count only for a charge that no attempt could settle for a week, and never above the cap. */
const mayBeAgreed = (state: SubscriptionRecord, { at, amount }: AttemptCharge): boolean => {
  const since = agreedFrom(state)
  return since !== null && at >= since && amount <= state.authorization.mandate.cap
}

/** Until when no attempt is made, after too many; null where nothing stops them at a moment. */
export const stopAt = ({ stoppedUntil }: SubscriptionRecord, at: UnixMs): UnixMs | null =>
  stoppedUntil !== null && at < stoppedUntil ? stoppedUntil : null

/** One attempt at a time, and only the one that is due. */
export const attemptCharge = (command: AttemptCharge, state: SubscriptionRecord): Decision => {
  const { at, n, k, periodStart, why, paymentId, price } = command
  if (state.attempts.some((attempt) => attempt.paymentId === paymentId)) return nothing
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  if (state.lifecycle._tag === 'paused' && state.lifecycle.resuming === null) return forbidden(state)
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  const until = stopAt(state, at)
  if (until !== null) return reject({ _tag: 'AttemptsAreStopped', until })
  const dueAt = chargeDueAt(state)
  if (dueAt === null || at < dueAt) return reject({ _tag: 'NotDue', dueAt })
  const due = chargeAt(state, at)
  if (n !== due.n || k !== due.k || periodStart !== due.period.start || why !== due.why) {
    return reject({ _tag: 'OtherChargeDue', n: due.n, k: due.k, periodStart: due.period.start })
  }
  const isPriced = command.agreedRates === undefined || mayBeAgreed(state, command)
  if (!isSame(price, state.terms.price) || !isPriced) return reject({ _tag: 'OtherPriceCounts' })
  const reached = reachedLedger(state, at)
  return reached >= enoughAttempts ? stop(state, reached, at) : begin(command, state, due)
}

export const handOverCharge = ({ paymentId, at }: HandOverCharge, state: SubscriptionRecord): Decision => {
  const attempt = state.attempts.find((each) => each.paymentId === paymentId)
  if (attempt === undefined) return reject({ _tag: 'AttemptNotFound', paymentId })
  if (attempt.isHandedOver || attempt.status !== 'under_way') return nothing
  return record({ type: 'ChargeHandedOver', data: { paymentId, at } })
}

/** They are counted anew. What is past due is tried at once: a retry that was asked for fell with the stop. */
export const allowAttempts = ({ at, by, reason }: AllowAttempts, state: SubscriptionRecord): Decision => {
  if (stopAt(state, at) === null) return nothing
  return andThen(state, [{ type: 'AttemptsAllowed', data: { at, by, reason } }], (allowed) =>
    allowed.status === 'past_due' ? requestRetry({ type: 'RequestRetry', cause: 'demand', at }, allowed) : nothing,
  )
}

import type { Policy } from '../merchant/index.ts'
import { nothing } from '../shared/decider.ts'
import { count, dayMs, hourMs, minuteMs, type UnixMs, unixMs } from '../shared/units.ts'
import { type AlarmCause, type CertainRefusal, type FailureCause, type FailureOutcome, outcomeOf } from './causes.ts'
import type { AlarmOperator, DelayCharge, FailCharge } from './commands.ts'
import { andThen, attemptUnderWay, type Decision, forbidden, record, reject } from './decision.ts'
import { retryAuthorized } from './dunning.ts'
import { undecidedMs } from './entitlement.ts'
import type { ChargeFailure } from './events.ts'
import { chargeAt, chargeDueAt, nextChargeAt } from './next-charge.ts'
import type { Attempt, SubscriptionRecord } from './state.ts'

/** How long a hard cause may stand before automatic charging ends, and how often it is looked at until then. */
const hardCauseMs = 3 * dayMs
const lookAgainMs = 6 * hourMs
/** How long resuming waits for what is only technical. */
const resumingMs = hourMs
export const alarmAfterMs = dayMs

/** After the first technical failure, the second, and so on; then every hour. */
const backoffMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs]
const nextTry = ({ trouble }: SubscriptionRecord, at: UnixMs): UnixMs =>
  unixMs(at + (backoffMs[trouble?.tries ?? 0] ?? hourMs))

/** A retry is made at most so much after its time, and at most a quarter of the wait. */
const latestMs = 30 * minuteMs
const offsetOf = (waitMs: number, jitter: number): Pick<ChargeFailure, 'retryOffsetMs'> => {
  const retryOffsetMs = count(Math.floor(jitter * Math.min(latestMs, waitMs / 4)))
  return retryOffsetMs === 0 ? {} : { retryOffsetMs }
}

type Effect = Pick<ChargeFailure, 'counts' | 'retryAt' | 'finalNoticeAt' | 'overdueAt' | 'graceUntil'>

const noEffect: Effect = {
  counts: false,
  retryAt: null,
  finalNoticeAt: null,
  overdueAt: null,
  graceUntil: null,
}

/** The schedule's hours count from the first failure that counts. Those that have passed meanwhile are not made up for. */
const afterMoney = (since: UnixMs, at: UnixMs, { dunningScheduleHours }: Policy): Partial<Effect> => {
  const tries = dunningScheduleHours.map((hours) => since + hours * hourMs)
  const next = tries.find((each) => each > at)
  if (next === undefined) return { overdueAt: at }
  const last = tries.at(-1) ?? next
  const finalNoticeAt = Math.max(tries.at(-2) ?? since, last - dayMs)
  return { retryAt: unixMs(next), finalNoticeAt: unixMs(finalNoticeAt) }
}

const afterHardCause = (hardSince: UnixMs, at: UnixMs): Partial<Effect> => {
  const overdueAt = hardSince + hardCauseMs
  const lookAt = at + lookAgainMs
  return {
    retryAt: lookAt < overdueAt ? unixMs(lookAt) : null,
    finalNoticeAt: unixMs(overdueAt - dayMs),
    overdueAt: unixMs(overdueAt),
  }
}

/** Whether the terms or the end of a mandate are the cause, which a mandate that replaces it cures. */
const isOfMandate = (cause: FailureCause): cause is CertainRefusal => cause === 'mandate_ended' || cause === 'above_cap'

const isReplaced = ({ authorization }: SubscriptionRecord, { mandateId }: Attempt): boolean =>
  mandateId !== authorization.mandate.mandateId

/**
 * A charge of a mandate that was replaced before its ledger does not count if the replacement explains its failure: the
 * customer has done what was asked. What the wallet lacks counts: it could evade charges by one new mandate after another.
 */
const outcomeFor = (
  state: SubscriptionRecord,
  attempt: Attempt,
  { cause, includedIn, at }: FailCharge,
): FailureOutcome => {
  const replacedAt = state.retired.find(({ mandateId }) => mandateId === attempt.mandateId)?.since ?? null
  const hadFailed = includedIn !== null && replacedAt !== null && at < replacedAt
  const isExplained = isReplaced(state, attempt) && !hadFailed && isOfMandate(cause)
  return isExplained ? 'technical' : outcomeOf(cause)
}

/** What a failure leads to while the subscription goes on. */
const effectOf = (state: SubscriptionRecord, outcome: FailureOutcome, { at, policy }: FailCharge): Effect => {
  if (outcome === 'technical') return { ...noEffect, retryAt: nextTry(state, at) }
  const { collection, covered } = state
  if (collection._tag === 'invoiced') return { ...noEffect, counts: true }
  const since = collection._tag === 'dunning' ? collection.since : at
  const hardSince = (collection._tag === 'dunning' ? collection.hardSince : null) ?? at
  const { accessGraceDays } = policy
  const graceSince = Math.min(since, covered.period.end + undecidedMs)
  const graceUntil = accessGraceDays === 0 ? null : unixMs(graceSince + accessGraceDays * dayMs)
  const next = outcome === 'money' ? afterMoney(since, at, policy) : afterHardCause(hardSince, at)
  return { ...noEffect, counts: true, graceUntil, ...next }
}

/** Whether resuming still waits for a charge at that moment. */
const isWorthWaiting = (state: SubscriptionRecord, retryAt: UnixMs): boolean =>
  retryAt <= (nextChargeAt(state) ?? 0) + resumingMs

/** While it is resumed, a technical failure is tried again for a while; any other leaves it paused. */
const whileResuming = (state: SubscriptionRecord, outcome: FailureOutcome, { at }: FailCharge): Effect => {
  const retryAt = nextTry(state, at)
  return { ...noEffect, retryAt: outcome === 'technical' && isWorthWaiting(state, retryAt) ? retryAt : null }
}

/**
 * Ends an attempt that brought nothing. It counts only while the subscription goes on: one that was under way when it was
 * paused or canceled, whose cancellation is due, or whose period another has paid for, starts no dunning.
 */
export const failCharge = (command: FailCharge, state: SubscriptionRecord): Decision => {
  const { paymentId, cause, code, includedIn, at, jitter } = command
  const attempt = state.attempts.find((each) => each.paymentId === paymentId)
  if (attempt === undefined) return reject({ _tag: 'AttemptNotFound', paymentId })
  if (attempt.status === 'failed') return nothing
  if (attempt.status !== 'under_way') return reject({ _tag: 'ChargeHasSucceeded', paymentId })
  const { lifecycle, cancellation } = state
  const { n, k, why } = attempt
  const outcome = outcomeFor(state, attempt, command)
  const failed = (effect: Effect) => ({
    type: 'ChargeFailed' as const,
    data: {
      ...{ n, k, paymentId, outcome, cause, code, includedIn, failedAt: at },
      ...effect,
      ...(effect.retryAt === null ? {} : offsetOf(effect.retryAt - at, jitter)),
    },
  })
  if (lifecycle._tag === 'paused' && lifecycle.resuming !== null && why === 'resume') {
    const effect = whileResuming(state, outcome, command)
    if (effect.retryAt !== null) return record(failed(effect))
    return record(failed(effect), { type: 'ResumeFailed', data: { cause, at } })
  }
  const goesOn = lifecycle._tag === 'running' && cancellation === null && n >= state.nextN
  const effect = goesOn ? effectOf(state, outcome, command) : noEffect
  // The new mandate has not been tried for what is owed.
  const retried = (failing: SubscriptionRecord) =>
    effect.counts && isReplaced(state, attempt) ? retryAuthorized(failing, at) : nothing
  return andThen(state, [failed(effect)], retried)
}

/** The charge could not be made, or the look at a hard cause found nothing new. */
export const delayCharge = ({ n, cause, at, jitter }: DelayCharge, state: SubscriptionRecord): Decision => {
  const { lifecycle, collection } = state
  if (lifecycle._tag === 'canceled') return forbidden(state)
  const dueAt = chargeDueAt(state)
  if (dueAt === null) return reject({ _tag: 'NotDue', dueAt })
  if (at < dueAt) return nothing
  const due = chargeAt(state, at)
  if (n !== due.n) return reject({ _tag: 'OtherChargeDue', n: due.n, k: due.k, periodStart: due.period.start })
  const isLook = collection._tag === 'dunning' && collection.outcome === 'hard' && lifecycle._tag === 'running'
  if (cause === 'cause_stands' && !isLook) return forbidden(state)
  const retryAt = cause === 'cause_stands' ? unixMs(at + lookAgainMs) : nextTry(state, at)
  if (lifecycle._tag === 'paused' && !isWorthWaiting(state, retryAt)) {
    return record({ type: 'ResumeFailed', data: { cause, at } })
  }
  return record({ type: 'ChargeDelayed', data: { n, cause, at, retryAt, ...offsetOf(retryAt - at, jitter) } })
}

/** Since when the operator should know of something; null while there is nothing. */
export const alarmingSince = (state: SubscriptionRecord): UnixMs | null =>
  attemptUnderWay(state)?.at ?? state.trouble?.since ?? null

/** What the operator was told of, and is still so; null where nothing is. */
export const stuckFor = (state: SubscriptionRecord): AlarmCause | null =>
  state.alarmedAt === null || alarmingSince(state) === null ? null : alarmCause(state)

export const alarmCause = (state: SubscriptionRecord): AlarmCause =>
  attemptUnderWay(state) === null ? 'charge_stuck' : 'outcome_unknown'

export const alarmOperator = ({ cause, at }: AlarmOperator, state: SubscriptionRecord): Decision => {
  const since = alarmingSince(state)
  if (since === null) return reject({ _tag: 'NotDue', dueAt: null })
  const dueAt = unixMs(Math.max(since, state.alarmedAt ?? 0) + alarmAfterMs)
  if (at < dueAt) return state.alarmedAt === null ? reject({ _tag: 'NotDue', dueAt }) : nothing
  return record({ type: 'OperatorAlarmed', data: { cause, since, at } })
}

import type { Policy } from '../merchant/index.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import { type Count, type PositiveCount, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { noticeAt } from './announcing.ts'
import { authorizationNeed, expiryNoticeAt, sendingAt } from './authorization.ts'
import type { AlarmCause, AuthorizationKind, AuthorizationReason, CertainRefusal, FailureCause } from './causes.ts'
import { certainRefusal } from './charging.ts'
import { attemptUnderWay } from './decision.ts'
import { invoiceCancelAt } from './dunning.ts'
import { accessEndsAt } from './entitlement.ts'
import { alarmAfterMs, alarmCause, alarmingSince } from './failing.ts'
import { chargeAt, chargeDueAt, type NextCharge } from './next-charge.ts'
import { priceChangeFor } from './pending-price.ts'
import type { Attempt, PriceChangeSeen, SubscriptionRecord, SubscriptionState } from './state.ts'

/** What is to be done for a subscription: each is done by asking for, or recording, what its name says. */
export type SubscriptionStep =
  | { readonly _tag: 'nothing'; readonly until: UnixMs | null }
  | { readonly _tag: 'end_at_boundary'; readonly endsAt: UnixMs }
  /** Opens the payment and records the intent of an attempt. */
  | { readonly _tag: 'hand_over_charge'; readonly attempt: Attempt }
  /**
   * It was paused or canceled, or its mandate replaced, before the attempt was handed over, or the contract is sure to
   * refuse it (`refusal`): if no intent stands, the attempt has failed unsent.
   */
  | { readonly _tag: 'withdraw_charge'; readonly attempt: Attempt; readonly refusal: CertainRefusal | null }
  | { readonly _tag: 'become_overdue'; readonly n: Count }
  | { readonly _tag: 'cancel_unpaid' }
  | { readonly _tag: 'end_access' }
  | { readonly _tag: 'give_final_notice' }
  /** The charge that is due is the first for which a new price counts. */
  | { readonly _tag: 'apply_price_change'; readonly priceChange: PriceChangeSeen }
  | { readonly _tag: 'attempt_charge'; readonly charge: NextCharge }
  /** Simulates the charge: attempted if the cause is cured, else delayed because it stands. */
  | { readonly _tag: 'look_at_cause'; readonly cause: FailureCause; readonly charge: NextCharge }
  | { readonly _tag: 'request_authorization'; readonly kind: AuthorizationKind; readonly why: AuthorizationReason }
  | { readonly _tag: 'announce_trial_end'; readonly endsAt: UnixMs }
  | { readonly _tag: 'announce_renewal'; readonly n: Count; readonly renewsAt: UnixMs }
  | { readonly _tag: 'announce_expiry' }
  | { readonly _tag: 'cancel_mandate'; readonly mandateId: MandateId; readonly number: PositiveCount }
  | { readonly _tag: 'alarm_operator'; readonly cause: AlarmCause }

/** What the operator has frozen. */
export type Stopped = { readonly sales: boolean; readonly charges: boolean }

const nothingStopped: Stopped = { sales: false, charges: false }

/**
 * Whether a step waits for the end of a freeze. While nothing can be charged, or no new mandate be given and no invoice be
 * paid, time brings no customer closer to the end of a subscription. Causes are still looked at, so that a cured one is
 * charged before anything else once the freeze is over.
 */
const isHeld = ({ sales, charges }: Stopped, { _tag }: SubscriptionStep): boolean => {
  switch (_tag) {
    case 'attempt_charge':
    case 'hand_over_charge':
      return charges
    case 'become_overdue':
    case 'cancel_unpaid':
    case 'give_final_notice':
    // Without sales nobody can sign for a new price: what is due takes the old one.
    case 'apply_price_change':
      return sales || charges
    case 'nothing':
    case 'end_at_boundary':
    case 'withdraw_charge':
    case 'end_access':
    case 'look_at_cause':
    case 'request_authorization':
    case 'announce_trial_end':
    case 'announce_renewal':
    case 'announce_expiry':
    case 'cancel_mandate':
    case 'alarm_operator':
      return false
  }
}

/** A step and the moment from which it is to be done; null where it is not to be done then either. */
type Due = { readonly at: UnixMs; readonly step: (now: UnixMs, policy: Policy) => SubscriptionStep | null }

const due = (at: UnixMs | null, step: Due['step']): ReadonlyArray<Due> => (at === null ? [] : [{ at, step }])

const boundary = ({ lifecycle, cancellation }: SubscriptionRecord): ReadonlyArray<Due> =>
  cancellation === null || lifecycle._tag === 'canceled'
    ? []
    : due(cancellation.endsAt, () => ({ _tag: 'end_at_boundary', endsAt: cancellation.endsAt }))

const handingOver = (state: SubscriptionRecord, attempt: Attempt): ReadonlyArray<Due> => {
  const { lifecycle, authorization } = state
  const goesOn =
    lifecycle._tag === 'running' ||
    (lifecycle._tag === 'paused' && lifecycle.resuming !== null && attempt.why === 'resume')
  const isWanted = goesOn && attempt.mandateId === authorization.mandate.mandateId
  const refusal = isWanted ? certainRefusal(state, attempt) : null
  if (attempt.isHandedOver) return []
  return due(attempt.at, () =>
    isWanted && refusal === null
      ? { _tag: 'hand_over_charge', attempt }
      : { _tag: 'withdraw_charge', attempt, refusal },
  )
}

/** The ends of dunning and of an invoice. A charge that was just requested is tried first. */
const unpaid = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const { lifecycle, collection, retryRequestedAt } = state
  if (lifecycle._tag !== 'running' || retryRequestedAt !== null) return []
  switch (collection._tag) {
    case 'current':
      return []
    case 'invoiced':
      return due(invoiceCancelAt(state), () => ({ _tag: 'cancel_unpaid' }))
    case 'dunning': {
      const { overdueAt, n } = collection
      return due(overdueAt, (_, { afterRetries }) =>
        afterRetries === 'cancel' ? { _tag: 'cancel_unpaid' } : { _tag: 'become_overdue', n },
      )
    }
  }
}

const finalNotice = ({ lifecycle, collection }: SubscriptionRecord): ReadonlyArray<Due> =>
  lifecycle._tag === 'running' && collection._tag === 'dunning' && !collection.isFinalNoticeGiven
    ? due(collection.finalNoticeAt, () => ({ _tag: 'give_final_notice' }))
    : []

const repricing = (state: SubscriptionRecord): ReadonlyArray<Due> =>
  due(chargeDueAt(state), (now) => {
    const priceChange = priceChangeFor(state, now)
    return priceChange === null ? null : { _tag: 'apply_price_change', priceChange }
  })

const charging = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const { lifecycle, collection, retryRequestedAt } = state
  const isLook =
    lifecycle._tag === 'running' &&
    collection._tag === 'dunning' &&
    collection.outcome === 'hard' &&
    retryRequestedAt === null
  return due(chargeDueAt(state), (now) => {
    const charge = chargeAt(state, now)
    return isLook ? { _tag: 'look_at_cause', cause: collection.cause, charge } : { _tag: 'attempt_charge', charge }
  })
}

const asking = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const need = authorizationNeed(state)
  if (need === null) return []
  const { kind, why, since } = need
  return due(since, () => ({ _tag: 'request_authorization', kind, why }))
}

const announcing = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const { covered, nextN } = state
  const { end } = covered.period
  return due(noticeAt(state), () =>
    covered.kind === 'trial'
      ? { _tag: 'announce_trial_end', endsAt: end }
      : { _tag: 'announce_renewal', n: nextN, renewsAt: end },
  )
}

/** A mandate that was replaced is not ended before its own charge, which would fail for that. */
const cancelingMandates = (state: SubscriptionRecord): ReadonlyArray<Due> =>
  state.retired.flatMap((each) => {
    const { mandateId, sent } = each
    const isCharged = state.lifecycle._tag !== 'canceled' && attemptUnderWay(state)?.mandateId === mandateId
    if (isCharged) return []
    return due(sendingAt(each), () => ({ _tag: 'cancel_mandate', mandateId, number: positiveCount(sent + 1) }))
  })

/** Access that time ends is recorded, so that everybody learns of it. */
const endingAccess = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const end = accessEndsAt(state)
  return end === null || end <= (state.accessEndedAt ?? 0) ? [] : due(end, () => ({ _tag: 'end_access' }))
}

const alarming = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const since = alarmingSince(state)
  if (since === null) return []
  return due(unixMs(Math.max(since, state.alarmedAt ?? 0) + alarmAfterMs), () => ({
    _tag: 'alarm_operator',
    cause: alarmCause(state),
  }))
}

/** All that is to be done, now or later; of what is due, the first is done first. While an attempt is under way, nothing else of collection. */
const agenda = (state: SubscriptionRecord): ReadonlyArray<Due> => {
  const underWay = attemptUnderWay(state)
  const collecting =
    underWay === null
      ? [...boundary(state), ...unpaid(state), ...finalNotice(state), ...repricing(state), ...charging(state)]
      : handingOver(state, underWay)
  return [
    ...collecting,
    ...asking(state),
    ...announcing(state),
    ...due(expiryNoticeAt(state), () => ({ _tag: 'announce_expiry' })),
    ...cancelingMandates(state),
    ...endingAccess(state),
    ...alarming(state),
  ]
}

/** The moment at which something is next to be done; null where nothing is, until a command changes that. */
export const dueAt = (state: SubscriptionState): UnixMs | null => {
  const moments = state.status === 'absent' ? [] : agenda(state).map(({ at }) => at)
  return moments.length === 0 ? null : unixMs(Math.min(...moments))
}

/**
 * What is to be done at a moment, by the merchant's policy; `nothing` before it is due. It depends on the state alone, not on
 * who asked before, or how often: after any time without anybody asking, the answer is for the moment of the asking.
 */
export const nextStep = (
  state: SubscriptionState,
  now: UnixMs,
  policy: Policy,
  stopped = nothingStopped,
): SubscriptionStep => {
  for (const { at, step } of state.status === 'absent' ? [] : agenda(state)) {
    const next = at <= now ? step(now, policy) : null
    if (next !== null && !isHeld(stopped, next)) return next
  }
  return { _tag: 'nothing', until: dueAt(state) }
}

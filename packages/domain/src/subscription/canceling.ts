import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { UnixMs } from '../shared/units.ts'
import type { CancellationReason } from './causes.ts'
import type { Cancel, CancelForDeletedCustomer, EndAtBoundary, EndWithNetwork, UndoCancellation } from './commands.ts'
import {
  attemptUnderWay,
  type Decision,
  forbidden,
  type LaterEvent,
  record,
  reject,
  rejectUnderWay,
} from './decision.ts'
import type { SubscriptionRecord } from './state.ts'

/**
 * The boundary at which a cancellation asked for now takes effect: the end of what is covered, if that is ahead, or if a
 * charge on its way may yet cover the next period; null for at once.
 */
const boundaryOf = (state: SubscriptionRecord, at: UnixMs): UnixMs | null => {
  const { lifecycle, collection, covered } = state
  const { end } = covered.period
  if (lifecycle._tag === 'paused') return covered.kind === 'paid' && at < end ? end : null
  if (collection._tag !== 'current') return null
  return at < end || attemptUnderWay(state) !== null ? end : null
}

/** Ends it at its boundary, or now where there is none. */
export const cancelAtEnd = (state: SubscriptionRecord, reason: CancellationReason, at: UnixMs): Decision => {
  if (state.lifecycle._tag === 'canceled' || state.cancellation !== null) return nothing
  const endsAt = boundaryOf(state, at)
  return endsAt === null
    ? cancelNow(state, reason, at)
    : record({ type: 'CancellationScheduled', data: { reason, endsAt, at } })
}

const cancelNow = ({ lifecycle }: SubscriptionRecord, reason: CancellationReason, at: UnixMs): Decision =>
  lifecycle._tag === 'canceled' ? nothing : record({ type: 'SubscriptionCanceled', data: { reason, canceledAt: at } })

export const cancel = ({ when, at }: Cancel, state: SubscriptionRecord): Decision =>
  when === 'now' ? cancelNow(state, 'requested', at) : cancelAtEnd(state, 'requested', at)

export const cancelForDeletedCustomer = ({ at }: CancelForDeletedCustomer, state: SubscriptionRecord): Decision =>
  cancelNow(state, 'customer_deleted', at)

/** At once, whatever was paid for, and with every mandate: the network of both was reset. */
export const endWithNetwork = ({ at }: EndWithNetwork, state: SubscriptionRecord): Decision => {
  const { lifecycle, authorization, retired } = state
  const living = authorization.ended === null ? [authorization.mandate.mandateId] : []
  const mandates = new Set([...living, ...retired.map(({ mandateId }) => mandateId)])
  const canceled: ReadonlyArray<LaterEvent> =
    lifecycle._tag === 'canceled'
      ? []
      : [{ type: 'SubscriptionCanceled', data: { reason: 'network_reset', canceledAt: at } }]
  const gone = [...mandates].map((mandateId) => ({ type: 'MandateGone' as const, data: { mandateId, at } }))
  return E.right([...canceled, ...gone])
}

/** What the customer has ended on the ledger is not taken back without a new mandate. */
export const undoCancellation = ({ at }: UndoCancellation, state: SubscriptionRecord): Decision => {
  const { lifecycle, cancellation, authorization } = state
  if (lifecycle._tag === 'canceled') return forbidden(state)
  if (cancellation === null) return nothing
  if (authorization.ended?.by === 'customer') {
    const authorizationId = authorization.requested?.authorizationId ?? null
    return reject({ _tag: 'AuthorizationWasRevoked', authorizationId })
  }
  if (at >= cancellation.endsAt) return reject({ _tag: 'CancellationIsDue', endsAt: cancellation.endsAt })
  return record({ type: 'CancellationUndone', data: { at } })
}

/** Whether it goes on: neither canceled, nor past the boundary at which a cancellation takes effect. */
export const isLivingAt = ({ lifecycle, cancellation }: SubscriptionRecord, at: UnixMs): boolean =>
  lifecycle._tag !== 'canceled' && (cancellation === null || at < cancellation.endsAt)

/** Canceled as of the boundary, whenever that is noticed; not while a charge may yet cover the next period. */
export const endAtBoundary = ({ at }: EndAtBoundary, state: SubscriptionRecord): Decision => {
  const { lifecycle, cancellation } = state
  if (lifecycle._tag === 'canceled') return nothing
  if (cancellation === null) return reject({ _tag: 'CancellationNotScheduled' })
  const { reason, endsAt } = cancellation
  if (at < endsAt) return reject({ _tag: 'NotDue', dueAt: endsAt })
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  return record({ type: 'SubscriptionCanceled', data: { reason, canceledAt: endsAt } })
}

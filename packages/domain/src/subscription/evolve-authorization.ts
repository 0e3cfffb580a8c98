import type { ContractId } from '../shared/asset.ts'
import type { AuthorizationId } from '../shared/ids.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import { count, type UnixMs } from '../shared/units.ts'
import { cureOf, FailureCause, type ResumeFailureCause } from './causes.ts'
import type { SubscriptionEvent } from './events.ts'
import type { Authorization, Machines, RetiredMandate } from './state.ts'
import type { Approval } from './terms.ts'

type Replaced = Extract<SubscriptionEvent, { readonly type: 'MandateReplaced' }>['data']

/** The mandate that counted counts no more, and is to be ended, if it has not ended by itself. */
export const retire = (state: Machines, since: RetiredMandate['since']): ReadonlyArray<RetiredMandate> => {
  const { mandate, ended } = state.authorization
  return ended === null
    ? [...state.retired, { mandateId: mandate.mandateId, since, sent: count(0), sentAt: null }]
    : state.retired
}

export const mandateEnded = (state: Machines, mandateId: MandateId, ended: Authorization['ended']): Machines => {
  const { authorization } = state
  const isCurrent = authorization.mandate.mandateId === mandateId
  return {
    ...state,
    authorization: isCurrent ? { ...authorization, ended } : authorization,
    endedMandates: [...state.endedMandates, mandateId],
    retired: state.retired.filter((each) => each.mandateId !== mandateId),
  }
}

/** One that comes after the subscription was canceled is retired at once. */
export const mandateReplaced = (state: Machines, { mandate, closedAt }: Replaced): Machines => {
  const isCanceled = state.lifecycle._tag === 'canceled'
  const authorization = { mandate, ended: null, missing: null, requested: null, expiryAnnouncedAt: null }
  const former = state.authorization.mandate
  const { contract, operator } = former
  const own = {
    ...(contract === mandate.contract ? {} : { contract }),
    ...(operator === mandate.operator ? {} : { operator }),
  }
  const retired = (isCanceled ? state.retired : retire(state, closedAt)).map((each) => ({ ...own, ...each }))
  const replaced: Machines = { ...state, authorization, retired }
  return isCanceled ? { ...replaced, retired: retire(replaced, closedAt) } : replaced
}

/** What would cure a hard cause is missing from then on. Any other cause says nothing about that. */
export const withMissing = (
  state: Machines,
  why: 'foreseen' | 'charge_failed',
  cause: ResumeFailureCause | null,
  since: UnixMs,
): Machines => {
  const kind = FailureCause.is(cause) ? cureOf(cause) : null
  return kind === null ? state : { ...state, authorization: { ...state.authorization, missing: { kind, why, since } } }
}

/** The contracts in which a request's mandate may have been signed, as far as the present mandate's does not say. */
export const offeredIn = ({ offered }: Authorization, authorizationId: AuthorizationId): ReadonlyArray<ContractId> =>
  offered?.authorizationId === authorizationId ? offered.contracts : []

/** What is left of an approval answers no request: only one that is enough for a charge does, and only a later one runs out later. */
export const allowanceSeen = (authorization: Authorization, approval: Approval): Authorization => {
  const { mandate, missing, requested, expiryAnnouncedAt } = authorization
  const isEnough = approval.allowance >= mandate.cap
  return {
    ...authorization,
    mandate: { ...mandate, approval },
    missing: isEnough && missing?.kind === 'allowance' ? null : missing,
    requested: isEnough && requested?.kind === 'allowance' ? null : requested,
    expiryAnnouncedAt: approval.approvedAt > mandate.approval.approvedAt ? null : expiryAnnouncedAt,
  }
}

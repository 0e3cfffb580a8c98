import type { MandateId } from '../shared/mandate-id.ts'
import { count } from '../shared/units.ts'
import type { SubscriptionEvent } from './events.ts'
import type { Authorization, Machines, RetiredMandate } from './state.ts'

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
  const authorization = { mandate, ended: null, requested: null, expiryAnnouncedAt: null }
  const replaced: Machines = { ...state, authorization, retired: isCanceled ? state.retired : retire(state, closedAt) }
  return isCanceled ? { ...replaced, retired: retire(replaced, closedAt) } : replaced
}

import type { CheckoutState, UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type { SessionId } from '../../kernel/session-kinds.ts'

/** The session that a process works for, and the time of the fact that it follows up. */
export type SessionStep = Scope & { readonly sessionId: SessionId; readonly at: UnixMs }

export type ExistingCheckout = Exclude<CheckoutState, { readonly status: 'absent' }>

/** The state of a session that a process has already met. Throws if it does not exist. */
export const existingCheckout = (state: CheckoutState, id: string): ExistingCheckout => {
  if (state.status === 'absent') throw new Error(`a process works for ${id}, which does not exist`)
  return state
}

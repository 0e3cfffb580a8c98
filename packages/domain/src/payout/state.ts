import { CorruptStream } from '../shared/decider.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutDetails, PayoutEvent, PayoutFailureReason, PayoutSettlement } from './events.ts'

export type Pending = { readonly status: 'pending'; readonly details: PayoutDetails }
export type Canceled = { readonly status: 'canceled'; readonly details: PayoutDetails; readonly canceledAt: UnixMs }
export type Succeeded = {
  readonly status: 'succeeded'
  readonly details: PayoutDetails
  readonly settlement: PayoutSettlement
}
export type Failed = {
  readonly status: 'failed'
  readonly details: PayoutDetails
  readonly reason: PayoutFailureReason
  readonly failedAt: UnixMs
}
export type PayoutState = { readonly status: 'absent' } | Pending | Canceled | Succeeded | Failed

export const initial: PayoutState = { status: 'absent' }

export const evolve = (state: PayoutState, { type, data }: PayoutEvent): PayoutState => {
  if (type === 'PayoutRequested') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'pending', details: data }
  }
  if (state.status !== 'pending') throw new CorruptStream(type, state.status)
  const { details } = state
  switch (type) {
    case 'PayoutCanceled':
      return { status: 'canceled', details, canceledAt: data.canceledAt }
    case 'PayoutSucceeded':
      return { status: 'succeeded', details, settlement: data }
    case 'PayoutFailed':
      return { status: 'failed', details, reason: data.reason, failedAt: data.failedAt }
  }
}

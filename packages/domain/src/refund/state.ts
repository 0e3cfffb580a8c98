import { CorruptStream } from '../shared/decider.ts'
import type { UnixMs } from '../shared/units.ts'
import type { RefundDetails, RefundEvent, RefundFailureReason, RefundSettlement } from './events.ts'

export type Pending = { readonly status: 'pending'; readonly details: RefundDetails }
export type Succeeded = {
  readonly status: 'succeeded'
  readonly details: RefundDetails
  readonly settlement: RefundSettlement
}
export type Failed = {
  readonly status: 'failed'
  readonly details: RefundDetails
  readonly reason: RefundFailureReason
  readonly failedAt: UnixMs
}
export type RefundState = { readonly status: 'absent' } | Pending | Succeeded | Failed

export const initial: RefundState = { status: 'absent' }

export const evolve = (state: RefundState, { type, data }: RefundEvent): RefundState => {
  if (type === 'RefundRequested') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'pending', details: data }
  }
  if (state.status !== 'pending') throw new CorruptStream(type, state.status)
  const { details } = state
  switch (type) {
    case 'RefundSucceeded':
      return { status: 'succeeded', details, settlement: data }
    case 'RefundFailed':
      return { status: 'failed', details, reason: data.reason, failedAt: data.failedAt }
  }
}

import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { OutgoingSettlement } from '../shared/outgoing.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { RefundDetails, type RefundEvent, RefundFailureReason } from './events.ts'

/** What is kept of a refund once it exists. */
export const RefundRecord = byStatus(
  {
    /** `sendsAt`: until when it waits; null once it is on its way. */
    pending: { details: RefundDetails, sendsAt: orNull(UnixMs) },
    succeeded: { details: RefundDetails, settlement: OutgoingSettlement },
    failed: { details: RefundDetails, reason: RefundFailureReason, code: orNull(Text), failedAt: UnixMs },
  },
  'RefundRecord',
)
export type RefundRecord = t.TypeOf<typeof RefundRecord>
/** What the events of its stream say about a refund. */
export type RefundState = { readonly status: 'absent' } | RefundRecord

export const initial: RefundState = { status: 'absent' }

export const evolve = (state: RefundState, { type, data }: RefundEvent): RefundState => {
  if (type === 'RefundRequested') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'pending', details: data, sendsAt: data.sendsAt ?? null }
  }
  if (state.status !== 'pending') throw new CorruptStream(type, state.status)
  const { details } = state
  switch (type) {
    case 'RefundPostponed':
      return { ...state, sendsAt: data.sendsAt }
    case 'RefundWaitEnded':
      return { ...state, sendsAt: null }
    case 'RefundSucceeded':
      return { status: 'succeeded', details, settlement: data }
    case 'RefundFailed':
      return { status: 'failed', details, ...data }
  }
}

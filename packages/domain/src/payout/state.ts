import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { OutgoingSettlement } from '../shared/outgoing.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { PayoutDetails, type PayoutEvent, PayoutFailureReason } from './events.ts'

/** What is kept of a payout once it exists. */
export const PayoutRecord = byStatus(
  {
    pending: { details: PayoutDetails },
    canceled: { details: PayoutDetails, canceledAt: UnixMs },
    succeeded: { details: PayoutDetails, settlement: OutgoingSettlement },
    failed: { details: PayoutDetails, reason: PayoutFailureReason, code: orNull(Text), failedAt: UnixMs },
  },
  'PayoutRecord',
)
export type PayoutRecord = t.TypeOf<typeof PayoutRecord>
/** What the events of its stream say about a payout. */
export type PayoutState = { readonly status: 'absent' } | PayoutRecord

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
      return { status: 'failed', details, ...data }
  }
}

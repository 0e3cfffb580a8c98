import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { UnixMs } from '../shared/units.ts'
import { PayoutDestinationDetails, type PayoutDestinationEvent } from './events.ts'

/** `provenAt` is null until its owner has proven it. */
const registered = { details: PayoutDestinationDetails, provenAt: orNull(UnixMs) }
/** What is kept of a payout destination once it exists. */
export const PayoutDestinationRecord = byStatus(
  { registered, removed: { ...registered, removedAt: UnixMs } },
  'PayoutDestinationRecord',
)
export type PayoutDestinationRecord = t.TypeOf<typeof PayoutDestinationRecord>
/** What the events of its stream say about a payout destination. */
export type PayoutDestinationState = { readonly status: 'absent' } | PayoutDestinationRecord

export const initial: PayoutDestinationState = { status: 'absent' }

export const evolve = (
  state: PayoutDestinationState,
  { type, data }: PayoutDestinationEvent,
): PayoutDestinationState => {
  if (type === 'PayoutDestinationRegistered') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'registered', details: data, provenAt: null }
  }
  if (state.status !== 'registered') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'PayoutDestinationProven':
      return { ...state, provenAt: data.provenAt }
    case 'PayoutDestinationRemoved':
      return { ...state, status: 'removed', removedAt: data.removedAt }
  }
}

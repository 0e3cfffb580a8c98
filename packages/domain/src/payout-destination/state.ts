import { CorruptStream } from '../shared/decider.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PayoutDestinationDetails, PayoutDestinationEvent } from './events.ts'

/** `provenAt` is null while nobody has proven it. */
export type Registered = {
  readonly status: 'registered'
  readonly details: PayoutDestinationDetails
  readonly provenAt: UnixMs | null
}
export type Removed = {
  readonly status: 'removed'
  readonly details: PayoutDestinationDetails
  readonly removedAt: UnixMs
}
export type PayoutDestinationState = { readonly status: 'absent' } | Registered | Removed

export const initial: PayoutDestinationState = { status: 'absent' }

export const evolve = (
  state: PayoutDestinationState,
  { type, data }: PayoutDestinationEvent,
): PayoutDestinationState => {
  switch (type) {
    case 'PayoutDestinationRegistered':
      if (state.status !== 'absent') throw new CorruptStream(type, state.status)
      return { status: 'registered', details: data, provenAt: null }
    case 'PayoutDestinationProven':
      if (state.status !== 'registered') throw new CorruptStream(type, state.status)
      return { ...state, provenAt: data.provenAt }
    case 'PayoutDestinationRemoved':
      if (state.status !== 'registered') throw new CorruptStream(type, state.status)
      return { status: 'removed', details: state.details, removedAt: data.removedAt }
  }
}

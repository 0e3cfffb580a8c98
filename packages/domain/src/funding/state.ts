import { CorruptStream } from '../shared/decider.ts'
import type { Announcement, FundingEvent, OwnMovement, ReceivedFunding } from './events.ts'

/** `announcement` is null of what nobody had announced. */
export type FundingState =
  | { readonly status: 'absent' }
  | { readonly status: 'announced'; readonly announcement: Announcement }
  | { readonly status: 'moved'; readonly movement: OwnMovement }
  | { readonly status: 'received'; readonly announcement: Announcement | null; readonly received: ReceivedFunding }

export const initial: FundingState = { status: 'absent' }

export const evolve = (state: FundingState, { type, data }: FundingEvent): FundingState => {
  switch (type) {
    case 'FundingAnnounced':
      if (state.status !== 'absent') throw new CorruptStream(type, state.status)
      return { status: 'announced', announcement: data }
    case 'FundingReceived': {
      if (state.status === 'received' || state.status === 'moved') throw new CorruptStream(type, state.status)
      const announcement = state.status === 'announced' ? state.announcement : null
      return { status: 'received', announcement, received: data }
    }
    case 'OwnMovementBooked':
      if (state.status !== 'absent') throw new CorruptStream(type, state.status)
      return { status: 'moved', movement: data }
  }
}

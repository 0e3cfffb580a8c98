import type * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { Announcement, type FundingEvent, OwnMovement, ReceivedFunding } from './events.ts'

/** `announcement` is null for money that was not announced. */
export const FundingRecord = byStatus(
  {
    announced: { announcement: Announcement },
    moved: { movement: OwnMovement },
    received: { announcement: orNull(Announcement), received: ReceivedFunding },
  },
  'FundingRecord',
)
export type FundingRecord = t.TypeOf<typeof FundingRecord>
/** What the events of its stream say about a funding. */
export type FundingState = { readonly status: 'absent' } | FundingRecord

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

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { FundingCommand } from './commands.ts'
import { decide } from './decide.ts'
import { FundingEvent } from './events.ts'
import type { FundingRejection } from './rejections.ts'
import { evolve, type FundingState, initial } from './state.ts'

/** Money of the merchant's or the operator's own that comes to a settlement account, or is announced to come. */
export const Funding: Aggregate<FundingCommand, FundingEvent, FundingState, FundingRejection> = {
  category: 'funding',
  decider: { initial, evolve, decide },
  events: eventFormat(FundingEvent),
}

export type { FundingCommand } from './commands.ts'
export { isAsAnnounced } from './decide.ts'
export { type FundingEvent, FundingReason, OwnMovement, ReceivedFunding } from './events.ts'
export type { FundingRejection } from './rejections.ts'
export { FundingRecord, type FundingState } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ChannelCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ChannelEvent } from './events.ts'
import type { ChannelRejection } from './rejections.ts'
import { type ChannelState, evolve, initial } from './state.ts'

/** One sequence number of an account that our transactions are sent from. */
export const Channel: Aggregate<ChannelCommand, ChannelEvent, ChannelState, ChannelRejection> = {
  category: 'channel',
  decider: { initial, evolve, decide },
  events: eventFormat(ChannelEvent),
}

export { channelId, channelOf, numberLine } from './channel-id.ts'
export type { ChannelCommand } from './commands.ts'
export type { ChannelEvent } from './events.ts'
export type { ChannelRejection } from './rejections.ts'
export { ChannelState } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { RefundCommand } from './commands.ts'
import { decide } from './decide.ts'
import { RefundEvent } from './events.ts'
import type { RefundRejection } from './rejections.ts'
import { evolve, initial, type RefundState } from './state.ts'

/** The rules of a refund, and how its events are written and read. */
export const Refund: Aggregate<RefundCommand, RefundEvent, RefundState, RefundRejection> = {
  category: 'refund',
  decider: { initial, evolve, decide },
  events: eventFormat(RefundEvent),
}

export type { RefundCommand } from './commands.ts'
export { RefundDetails, type RefundEvent, RefundFailureReason } from './events.ts'
export type { RefundRejection } from './rejections.ts'
export { RefundRecord, type RefundState } from './state.ts'

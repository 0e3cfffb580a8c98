import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { PayoutCommand } from './commands.ts'
import { decide } from './decide.ts'
import { PayoutEvent } from './events.ts'
import type { PayoutRejection } from './rejections.ts'
import { evolve, initial, type PayoutState } from './state.ts'

/** Money that a merchant withdraws to an address of theirs. */
export const Payout: Aggregate<PayoutCommand, PayoutEvent, PayoutState, PayoutRejection> = {
  category: 'payout',
  decider: { initial, evolve, decide },
  events: eventFormat(PayoutEvent),
}

export type { PayoutCommand } from './commands.ts'
export { type PayoutDetails, type PayoutEvent, PayoutFailureReason, PayoutTarget } from './events.ts'
export type { PayoutRejection } from './rejections.ts'
export { PayoutRecord, type PayoutState } from './state.ts'

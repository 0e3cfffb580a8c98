import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { PayoutDestinationCommand } from './commands.ts'
import { decide } from './decide.ts'
import { PayoutDestinationEvent } from './events.ts'
import type { PayoutDestinationRejection } from './rejections.ts'
import { evolve, initial, type PayoutDestinationState } from './state.ts'

/** An address that a merchant has registered to withdraw to. */
export const PayoutDestination: Aggregate<
  PayoutDestinationCommand,
  PayoutDestinationEvent,
  PayoutDestinationState,
  PayoutDestinationRejection
> = {
  category: 'payout_destination',
  decider: { initial, evolve, decide },
  events: eventFormat(PayoutDestinationEvent),
}

export type { PayoutDestinationCommand } from './commands.ts'
export type { PayoutDestinationDetails, PayoutDestinationEvent } from './events.ts'
export type { PayoutDestinationRejection } from './rejections.ts'
export { PayoutDestinationRecord, type PayoutDestinationState } from './state.ts'

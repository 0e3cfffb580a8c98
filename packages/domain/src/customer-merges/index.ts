import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { CustomerMergesCommand } from './commands.ts'
import { decide } from './decide.ts'
import { CustomerMergesEvent } from './events.ts'
import type { CustomerMergesRejection } from './rejections.ts'
import { type CustomerMergesState, evolve, initial } from './state.ts'

/** Which customers of an environment of a merchant are one person. One stream, so that merges are decided one by one. */
export const CustomerMerges: Aggregate<
  CustomerMergesCommand,
  CustomerMergesEvent,
  CustomerMergesState,
  CustomerMergesRejection
> = {
  category: 'customer_merges',
  decider: { initial, evolve, decide },
  events: eventFormat(CustomerMergesEvent),
}

export type { CustomerMergesCommand } from './commands.ts'
export type { CustomerMerge, CustomerMergesEvent } from './events.ts'
export type { CustomerMergesRejection } from './rejections.ts'
export type { CustomerMergesState } from './state.ts'

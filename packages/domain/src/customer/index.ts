import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { CustomerCommand } from './commands.ts'
import { decide } from './decide.ts'
import { CustomerEvent } from './events.ts'
import type { CustomerRejection } from './rejections.ts'
import { type CustomerState, evolve, initial } from './state.ts'

/** The rules of a customer, and how its events are written and read. */
export const Customer: Aggregate<CustomerCommand, CustomerEvent, CustomerState, CustomerRejection> = {
  category: 'customer',
  decider: { initial, evolve, decide },
  events: eventFormat(CustomerEvent),
}

export type { CustomerCommand } from './commands.ts'
export { type CustomerEvent, CustomerRecord, Wallet } from './events.ts'
export type { CustomerRejection } from './rejections.ts'
export type { CustomerState } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { PayoutBookCommand } from './commands.ts'
import { decide } from './decide.ts'
import { PayoutBookEvent } from './events.ts'
import type { PayoutBookRejection } from './rejections.ts'
import { evolve, initial, type PayoutBookState } from './state.ts'

/**
 * The payouts of one asset of a merchant in an environment, and their schedule. What a payout may take is decided here
 * alone, so that no two take the same money.
 */
export const PayoutBook: Aggregate<PayoutBookCommand, PayoutBookEvent, PayoutBookState, PayoutBookRejection> = {
  category: 'payout_book',
  decider: { initial, evolve, decide },
  events: eventFormat(PayoutBookEvent),
}

export type { PayoutBookCommand } from './commands.ts'
export { type PayoutBookEvent, PayoutClaim } from './events.ts'
export type { PayoutBookRejection } from './rejections.ts'
export { lastDue, nextDue, PayoutInterval, PayoutSchedule, Weekday } from './schedule.ts'
export { feesOwed, PayoutBookState } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { CreditsCommand } from './commands.ts'
import { decide } from './decide.ts'
import { CreditsEvent } from './events.ts'
import type { CreditsRejection } from './rejections.ts'
import { type CreditsState, evolve, initial } from './state.ts'

/** The rules of a customer's credits, and how its events are written and read. */
export const Credits: Aggregate<CreditsCommand, CreditsEvent, CreditsState, CreditsRejection> = {
  category: 'credits',
  decider: { initial, evolve, decide },
  events: eventFormat(CreditsEvent),
}

export { accountName, type BooksOf, booksId, periodOf } from './books.ts'
export type { CreditsCommand } from './commands.ts'
export { CreditBalance, type CreditsEvent } from './events.ts'
export type { CreditsRejection } from './rejections.ts'
export { addBalances, type CreditsState, noCredits, unitsLeft } from './state.ts'
export { Units, units } from './units.ts'

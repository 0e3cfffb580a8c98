import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ScreeningCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ScreeningEvent } from './events.ts'
import { evolve, initial, type ScreeningState } from './state.ts'

/** One stream for a deployment: the outgoing money and the charges that are held because a list names their address. */
export const Holds: Aggregate<ScreeningCommand, ScreeningEvent, ScreeningState, never> = {
  category: 'screening',
  decider: { initial, evolve, decide },
  events: eventFormat(ScreeningEvent),
}

export type { ScreeningCommand } from './commands.ts'
export { type Hold, HoldAction, type ScreeningEvent } from './events.ts'
export { type ScreeningState, standingOf } from './state.ts'

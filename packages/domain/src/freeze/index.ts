import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { FreezeCommand } from './commands.ts'
import { decide } from './decide.ts'
import { FreezeEvent } from './events.ts'
import { evolve, type FreezeState, initial } from './state.ts'

/** One stream for a deployment: what its operator has stopped, for all merchants or for one. */
export const Freezes: Aggregate<FreezeCommand, FreezeEvent, FreezeState, never> = {
  category: 'freeze',
  decider: { initial, evolve, decide },
  events: eventFormat(FreezeEvent),
}

export type { FreezeCommand } from './commands.ts'
export { type Closing, FreezeDecision, type FreezeEvent, FreezeScope } from './events.ts'
export { closingOf, type FreezeState, freezeScopeOf, isFrozen, isSameTarget, lastUnfrozenAt } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LimitsCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LimitsEvent } from './events.ts'
import { evolve, initial, type LimitsState } from './state.ts'

/**
 * What may go out of an environment of a merchant without an approval, and what did. Decided in one stream, so that two
 * requests cannot both take the rest.
 */
export const Limits: Aggregate<LimitsCommand, LimitsEvent, LimitsState, never> = {
  category: 'limits',
  decider: { initial, evolve, decide },
  events: eventFormat(LimitsEvent),
}

export type { LimitsCommand } from './commands.ts'
export { type Limit, LimitScope, type LimitSetter, type LimitsEvent } from './events.ts'
export { amountAt, countsFrom, isLimited, type LimitsState, limitWindowMs, recent, sumOf } from './state.ts'

import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { TeamCommand } from './commands.ts'
import { decide } from './decide.ts'
import { TeamEvent } from './events.ts'
import type { TeamRejection } from './rejections.ts'
import { evolve, initial, type TeamState } from './state.ts'

/** The people who act for a merchant. One stream for a team, because some owner has to be left in it. */
export const Team: Aggregate<TeamCommand, TeamEvent, TeamState, TeamRejection> = {
  category: 'team',
  decider: { initial, evolve, decide },
  events: eventFormat(TeamEvent),
}

export type { TeamCommand } from './commands.ts'
export { MemberRole, SecurityChange, SignInMethod, type TeamEvent } from './events.ts'
export type { TeamRejection } from './rejections.ts'
export { type Member, memberIn, type TeamState } from './state.ts'

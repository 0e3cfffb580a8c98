import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LogHistoryCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LogHistoryEvent } from './events.ts'
import { evolve, initial, type LogHistoryState } from './state.ts'

/** One stream for a deployment: when its log went back, and who accepted that. */
export const LogHistory: Aggregate<LogHistoryCommand, LogHistoryEvent, LogHistoryState, never> = {
  category: 'log',
  decider: { initial, evolve, decide },
  events: eventFormat(LogHistoryEvent),
}

export type { LogHistoryCommand } from './commands.ts'
export {
  type AcceptedThrough,
  type ForgottenTransaction,
  type LogAcceptance,
  type LogHistoryEvent,
  LogMark,
} from './events.ts'
export { isAccepted, type LogHistoryState } from './state.ts'

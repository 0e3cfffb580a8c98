import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LogTransparencyCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LogTransparencyEvent } from './events.ts'
import type { LogTransparencyRejection } from './rejections.ts'
import { evolve, initial, type LogTransparencyState } from './state.ts'

/** One stream for a deployment: under which names its log is a transparency log, and by which keys. */
export const LogTransparency: Aggregate<
  LogTransparencyCommand,
  LogTransparencyEvent,
  LogTransparencyState,
  LogTransparencyRejection
> = {
  category: 'log_transparency',
  decider: { initial, evolve, decide },
  events: eventFormat(LogTransparencyEvent),
}

export type { LogTransparencyCommand } from './commands.ts'
export type { LogTransparencyEvent } from './events.ts'
export type { LogTransparencyRejection } from './rejections.ts'
export { keyCount, type LogTransparencyState, logInUse, type NamedLog } from './state.ts'

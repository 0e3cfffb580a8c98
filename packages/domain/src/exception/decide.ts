import type { Decider } from '../shared/decider.ts'
import type { ExceptionCommand } from './commands.ts'
import type { ExceptionEvent } from './events.ts'
import type { ExceptionRejection } from './rejections.ts'
import type { ExceptionState } from './state.ts'

export const decide: Decider<ExceptionCommand, ExceptionEvent, ExceptionState, ExceptionRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

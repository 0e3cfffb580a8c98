import type { Decider } from '../shared/decider.ts'
import type { CheckoutCommand } from './commands.ts'
import type { CheckoutEvent } from './events.ts'
import type { CheckoutRejection } from './rejections.ts'
import type { CheckoutState } from './state.ts'

export const decide: Decider<CheckoutCommand, CheckoutEvent, CheckoutState, CheckoutRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

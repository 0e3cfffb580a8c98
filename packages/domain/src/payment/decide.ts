import type { Decider } from '../shared/decider.ts'
import type { PaymentCommand } from './commands.ts'
import type { PaymentEvent } from './events.ts'
import type { PaymentRejection } from './rejections.ts'
import type { PaymentState } from './state.ts'

export const decide: Decider<PaymentCommand, PaymentEvent, PaymentState, PaymentRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

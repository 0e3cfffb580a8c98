import type { Decider } from '../shared/decider.ts'
import type { CustomerCommand } from './commands.ts'
import type { CustomerEvent } from './events.ts'
import type { CustomerRejection } from './rejections.ts'
import type { CustomerState } from './state.ts'

export const decide: Decider<CustomerCommand, CustomerEvent, CustomerState, CustomerRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

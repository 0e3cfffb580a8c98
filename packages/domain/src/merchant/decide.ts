import type { Decider } from '../shared/decider.ts'
import type { MerchantCommand } from './commands.ts'
import type { MerchantEvent } from './events.ts'
import type { MerchantRejection } from './rejections.ts'
import type { MerchantState } from './state.ts'

export const decide: Decider<MerchantCommand, MerchantEvent, MerchantState, MerchantRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

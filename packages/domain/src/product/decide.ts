import type { Decider } from '../shared/decider.ts'
import type { ProductCommand } from './commands.ts'
import type { ProductEvent } from './events.ts'
import type { ProductRejection } from './rejections.ts'
import type { ProductState } from './state.ts'

export const decide: Decider<ProductCommand, ProductEvent, ProductState, ProductRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

import type { Decider } from '../shared/decider.ts'
import type { ReservationCommand } from './commands.ts'
import type { ReservationEvent } from './events.ts'
import type { ReservationRejection } from './rejections.ts'
import type { ReservationState } from './state.ts'

export const decide: Decider<ReservationCommand, ReservationEvent, ReservationState, ReservationRejection>['decide'] =
  (command) => () => {
    throw new Error(`${command.type} is not decided yet`)
  }

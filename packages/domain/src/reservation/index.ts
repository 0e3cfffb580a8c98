import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ReservationCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ReservationEvent } from './events.ts'
import type { ReservationRejection } from './rejections.ts'
import { evolve, initial, type ReservationState } from './state.ts'

/** The rules of a reservation, and how its events are written and read. */
export const Reservation: Aggregate<ReservationCommand, ReservationEvent, ReservationState, ReservationRejection> = {
  category: 'reservation',
  decider: { initial, evolve, decide },
  events: eventFormat(ReservationEvent),
}

export type { ReservationCommand } from './commands.ts'
export type { ReservationEvent } from './events.ts'
export type { ReservationRejection } from './rejections.ts'
export type { ReservationState } from './state.ts'

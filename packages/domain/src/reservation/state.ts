import { CorruptStream } from '../shared/decider.ts'
import type { Text } from '../shared/text.ts'
import type { ReservationEvent } from './events.ts'

/** `generation` counts the events: a caller that acts on what it read names the one that it read. */
export type ReservationState = { readonly generation: number } & (
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly owner: Text }
)

export const initial: ReservationState = { status: 'free', generation: 0 }

export const evolve = (state: ReservationState, { type, data }: ReservationEvent): ReservationState => {
  const generation = state.generation + 1
  switch (type) {
    case 'Claimed':
      if (state.status !== 'free') throw new CorruptStream(type, state.status)
      return { status: 'held', owner: data.owner, generation }
    case 'TakenOver':
      if (state.status !== 'held') throw new CorruptStream(type, state.status)
      return { status: 'held', owner: data.owner, generation }
    case 'Released':
      if (state.status !== 'held') throw new CorruptStream(type, state.status)
      return { status: 'free', generation }
  }
}

import { CorruptStream } from '../shared/decider.ts'
import type { Text } from '../shared/text.ts'
import type { ReservationEvent } from './events.ts'

export type ReservationState = { readonly status: 'free' } | { readonly status: 'held'; readonly owner: Text }

export const initial: ReservationState = { status: 'free' }

export const evolve = (state: ReservationState, { type, data }: ReservationEvent): ReservationState => {
  switch (type) {
    case 'Claimed':
      if (state.status !== 'free') throw new CorruptStream(type, state.status)
      return { status: 'held', owner: data.owner }
    case 'TakenOver':
      if (state.status !== 'held') throw new CorruptStream(type, state.status)
      return { status: 'held', owner: data.owner }
    case 'Released':
      if (state.status !== 'held') throw new CorruptStream(type, state.status)
      return { status: 'free' }
  }
}

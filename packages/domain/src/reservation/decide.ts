import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { Claim, Release, ReservationCommand, TakeOver } from './commands.ts'
import type { ReservationEvent } from './events.ts'
import type { ReservationRejection } from './rejections.ts'
import type { ReservationState } from './state.ts'

type Decision = E.Either<ReservationRejection, ReadonlyArray<ReservationEvent>>

type HeldReservation = Extract<ReservationState, { readonly status: 'held' }>

const heldBy = ({ owner, generation }: HeldReservation): Decision => E.left({ _tag: 'HeldBy', owner, generation })

const claim = ({ owner }: Claim, state: ReservationState): Decision => {
  if (state.status === 'free') return E.right([{ type: 'Claimed', data: { owner } }])
  return state.owner === owner ? nothing : heldBy(state)
}

const takeOver = ({ owner, generation }: TakeOver, state: ReservationState): Decision => {
  if (state.status === 'free') return E.left({ _tag: 'NotHeld' })
  if (state.generation === generation) return E.right([{ type: 'TakenOver', data: { owner, from: state.owner } }])
  return state.owner === owner ? nothing : heldBy(state)
}

const release = ({ owner, generation }: Release, state: ReservationState): Decision => {
  if (state.status === 'free') return nothing
  if (state.owner !== owner || state.generation !== generation) return heldBy(state)
  return E.right([{ type: 'Released', data: { owner } }])
}

export const decide =
  (command: ReservationCommand) =>
  (state: ReservationState): Decision => {
    switch (command.type) {
      case 'Claim':
        return claim(command, state)
      case 'TakeOver':
        return takeOver(command, state)
      case 'Release':
        return release(command, state)
    }
  }

import * as E from 'fp-ts/lib/Either.js'
import type { Claim, Release, ReservationCommand, TakeOver } from './commands.ts'
import type { ReservationEvent } from './events.ts'
import type { ReservationRejection } from './rejections.ts'
import type { ReservationState } from './state.ts'

type Decision = E.Either<ReservationRejection, ReadonlyArray<ReservationEvent>>

const nothing: Decision = E.right([])

const claim = ({ owner }: Claim, state: ReservationState): Decision => {
  if (state.status === 'free') return E.right([{ type: 'Claimed', data: { owner } }])
  return state.owner === owner ? nothing : E.left({ _tag: 'HeldBy', owner: state.owner })
}

const takeOver = ({ owner, from }: TakeOver, state: ReservationState): Decision => {
  if (state.status === 'free') return E.left({ _tag: 'NotHeld' })
  if (state.owner === owner) return nothing
  if (state.owner !== from) return E.left({ _tag: 'HeldBy', owner: state.owner })
  return E.right([{ type: 'TakenOver', data: { owner, from } }])
}

const release = ({ owner }: Release, state: ReservationState): Decision => {
  if (state.status === 'free') return nothing
  if (state.owner !== owner) return E.left({ _tag: 'HeldBy', owner: state.owner })
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

import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type {
  PayoutDestinationCommand,
  ProvePayoutDestination,
  RegisterPayoutDestination,
  RemovePayoutDestination,
} from './commands.ts'
import type { PayoutDestinationEvent } from './events.ts'
import type { PayoutDestinationRejection } from './rejections.ts'
import type { PayoutDestinationState } from './state.ts'

type Decision = E.Either<PayoutDestinationRejection, ReadonlyArray<PayoutDestinationEvent>>

const register = ({ type: _, ...details }: RegisterPayoutDestination, state: PayoutDestinationState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'PayoutDestinationRegistered', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'PayoutDestinationAlreadyExists' })
}

const prove = ({ at }: ProvePayoutDestination, state: PayoutDestinationState): Decision => {
  if (state.status !== 'registered') return E.left({ _tag: 'PayoutDestinationNotFound' })
  return state.provenAt === null ? E.right([{ type: 'PayoutDestinationProven', data: { provenAt: at } }]) : nothing
}

const remove = ({ at }: RemovePayoutDestination, state: PayoutDestinationState): Decision => {
  switch (state.status) {
    case 'absent':
      return E.left({ _tag: 'PayoutDestinationNotFound' })
    case 'registered':
      return E.right([{ type: 'PayoutDestinationRemoved', data: { removedAt: at } }])
    case 'removed':
      return nothing
  }
}

export const decide =
  (command: PayoutDestinationCommand) =>
  (state: PayoutDestinationState): Decision => {
    switch (command.type) {
      case 'RegisterPayoutDestination':
        return register(command, state)
      case 'ProvePayoutDestination':
        return prove(command, state)
      case 'RemovePayoutDestination':
        return remove(command, state)
    }
  }

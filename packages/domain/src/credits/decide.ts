import * as E from 'fp-ts/lib/Either.js'
import type { CreditsCommand } from './commands.ts'
import type { CreditsEvent } from './events.ts'
import type { CreditsRejection } from './rejections.ts'
import {
  type Absent,
  type Closed,
  type CreditsState,
  type HandedOver,
  noCredits,
  type Open,
  unitsLeft,
} from './state.ts'
import { units } from './units.ts'

type Decision = E.Either<CreditsRejection, ReadonlyArray<CreditsEvent>>
type Of<Type extends CreditsCommand['type']> = Extract<CreditsCommand, { readonly type: Type }>

/** Entries are made in open books alone; a customer's first begin by themselves. */
export const decide =
  (command: CreditsCommand) =>
  (state: CreditsState): Decision => {
    switch (command.type) {
      case 'OpenBooks':
        return E.right(state.status === 'absent' ? [{ type: 'BooksOpened', data: { carried: command.carried } }] : [])
      case 'CloseBooks':
        return E.right(
          state.status === 'open' && state.events >= command.atEvents
            ? [{ type: 'BooksClosed', data: { balance: state.balance } }]
            : [],
        )
      case 'GrantCredits':
        return isOver(state) ? over(state) : grant(command, state)
      case 'ConsumeCredits':
        return isOver(state) ? over(state) : consume(command, state)
      case 'ReverseCredits':
        return isOver(state) ? over(state) : reverse(command, state)
      case 'RestoreCredits':
        return isOver(state) ? over(state) : restore(command, state)
      case 'TakeOverBooks':
        return isOver(state) ? over(state) : takeOver(command, state)
      case 'HandOverBooks': {
        if (state.status === 'handed_over') return E.right([])
        const balance = state.status === 'absent' ? noCredits : state.balance
        return state.status === 'closed'
          ? over(state)
          : E.right([{ type: 'BooksHandedOver', data: { to: command.to, balance } }])
      }
    }
  }

const isOver = (state: CreditsState): state is Closed | HandedOver =>
  state.status === 'closed' || state.status === 'handed_over'

const over = (state: Closed | HandedOver): Decision =>
  E.left(
    state.status === 'closed'
      ? { _tag: 'BooksAreClosed', balance: state.balance }
      : { _tag: 'BooksAreHandedOver', to: state.to },
  )

const takeOver = ({ type: _, ...data }: Of<'TakeOverBooks'>, state: Absent | Open): Decision =>
  state.status === 'open' && state.balance.takenOver?.includes(data.from) === true
    ? E.right([])
    : E.right([{ type: 'BooksTakenOver', data }])

const grant = ({ type: _, ...entry }: Of<'GrantCredits'>, state: Absent | Open): Decision =>
  entry.units === 0n ||
  isEntered(entry, state) ||
  (state.status === 'open' && state.grantedBy.includes(entry.paymentId))
    ? E.right([])
    : E.right([{ type: 'CreditsGranted', data: entry }])

const consume = ({ type: _, ...entry }: Of<'ConsumeCredits'>, state: Absent | Open): Decision => {
  if (isEntered(entry, state)) return E.right([])
  const left = unitsLeft(state.status === 'open' ? state.balance : noCredits)
  return entry.units > left
    ? E.left({ _tag: 'InsufficientCredits', wanted: entry.units, left })
    : E.right([{ type: 'CreditsConsumed', data: entry }])
}

const reverse = ({ type: _, ...entry }: Of<'ReverseCredits'>, state: Absent | Open): Decision => {
  if (isEntered(entry, state)) return E.right([])
  if (state.status === 'absent' || !state.grantedBy.includes(entry.paymentId)) return E.left({ _tag: 'GrantNotFound' })
  const found = state.balance.grants.find(({ paymentId }) => paymentId === entry.paymentId)
  return found === undefined || found.left < found.units
    ? E.left({ _tag: 'CreditsAreSpent', left: found?.left ?? units(0n) })
    : E.right([{ type: 'CreditsReversed', data: { ...entry, units: found.units } }])
}

const restore = ({ type: _, ...entry }: Of<'RestoreCredits'>, state: Absent | Open): Decision => {
  const grants = state.status === 'open' ? state.balance.grants : []
  return isEntered(entry, state) || grants.some(({ paymentId }) => paymentId === entry.paymentId)
    ? E.right([])
    : E.right([{ type: 'CreditsGranted', data: entry }])
}

const isEntered = ({ transactionId }: Pick<Of<'ReverseCredits'>, 'transactionId'>, state: Absent | Open): boolean =>
  state.status === 'open' && state.transactions.includes(transactionId)

import * as E from 'fp-ts/lib/Either.js'
import type { CreditsCommand } from './commands.ts'
import type { CreditsEvent } from './events.ts'
import type { CreditsRejection } from './rejections.ts'
import { type Absent, type CreditsState, noCredits, type Open, unitsLeft } from './state.ts'
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
        return state.status === 'closed' ? closed(state) : grant(command, state)
      case 'ConsumeCredits':
        return state.status === 'closed' ? closed(state) : consume(command, state)
      case 'ReverseCredits':
        return state.status === 'closed' ? closed(state) : reverse(command, state)
      case 'RestoreCredits':
        return state.status === 'closed' ? closed(state) : restore(command, state)
    }
  }

const closed = ({ balance }: Extract<CreditsState, { readonly status: 'closed' }>): Decision =>
  E.left({ _tag: 'BooksAreClosed', balance })

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

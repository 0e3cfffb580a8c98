import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { ScreeningCommand } from './commands.ts'
import type { ScreeningEvent } from './events.ts'
import { type ScreeningState, standingOf } from './state.ts'

/** What the operator has let through or refused stays so: it may be on the ledger, or have ended. */
export const decide =
  (command: ScreeningCommand) =>
  (state: ScreeningState): E.Either<never, ReadonlyArray<ScreeningEvent>> => {
    const standing = standingOf(state, command.subject)
    switch (command.type) {
      case 'HoldMoney': {
        const { type: _, ...data } = command
        return standing === 'unknown' ? E.right([{ type: 'MoneyHeld', data }]) : nothing
      }
      case 'DecideHold': {
        const { type: _, ...data } = command
        const isDone = state.decided.get(data.subject)?.action === data.action
        if (isDone || standing === 'accepted' || standing === 'refused') return nothing
        return E.right([{ type: 'HoldDecided', data }])
      }
    }
  }

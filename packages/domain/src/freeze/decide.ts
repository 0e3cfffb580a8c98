import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { FreezeCommand } from './commands.ts'
import type { FreezeEvent } from './events.ts'
import { closingOf, type FreezeState, isSameTarget } from './state.ts'

/** The first reason stands: what is frozen is not frozen again, and who closes does not begin again. */
export const decide =
  (command: FreezeCommand) =>
  (state: FreezeState): E.Either<never, ReadonlyArray<FreezeEvent>> => {
    if (command.type === 'BeginClosing') {
      const { type: _, ...data } = command
      return closingOf(state, data.merchantId) === null ? E.right([{ type: 'MerchantClosingBegun', data }]) : nothing
    }
    const { type, ...data } = command
    const isInForce = state.inForce.some((each) => isSameTarget(each, data))
    switch (type) {
      case 'Freeze':
        return isInForce ? nothing : E.right([{ type: 'Frozen', data }])
      case 'Unfreeze':
        return isInForce ? E.right([{ type: 'Unfrozen', data }]) : nothing
    }
  }

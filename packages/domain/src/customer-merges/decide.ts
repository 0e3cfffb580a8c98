import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { CustomerMergesCommand } from './commands.ts'
import type { CustomerMergesEvent } from './events.ts'
import type { CustomerMergesRejection } from './rejections.ts'
import { type CustomerMergesState, mergedInto, remainingOf } from './state.ts'

type Decision = E.Either<CustomerMergesRejection, ReadonlyArray<CustomerMergesEvent>>

/** A merge is for ever. Both customers must still stand for themselves, so that no chain of merges closes to a circle. */
export const decide =
  ({ type: _, ...merge }: CustomerMergesCommand) =>
  (state: CustomerMergesState): Decision => {
    const { from, into } = merge
    if (from === into) return E.left({ _tag: 'SameCustomer' })
    const isMerged = mergedInto(state, from) !== null
    if (isMerged && remainingOf(state, from) === remainingOf(state, into)) return nothing
    const taken = [from, into].find((id) => mergedInto(state, id) !== null)
    if (taken !== undefined)
      return E.left({ _tag: 'CustomerIsMerged', customerId: taken, into: remainingOf(state, taken) })
    return E.right([{ type: 'CustomersMerged', data: merge }])
  }

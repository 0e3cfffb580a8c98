import * as TE from 'fp-ts/lib/TaskEither.js'
import { createFollower } from '../follower.ts'
import type { Cursor, FollowedLedger, FollowerOptions, Halted } from '../following.ts'
import type { ClosedLedger } from '../gateway.ts'
import { alice, hashOf, headOf, ledger, ledgersInMemory, sequence } from './ledgers.ts'

export type Failure = { readonly _tag: 'StoreDown' }
export const storeDown: Failure = { _tag: 'StoreDown' }

export const ledgers = (from: number, to: number): Array<ClosedLedger> =>
  Array.from({ length: to - from + 1 }, (_, index) => ledger(from + index))

export const cursorAt = (number: number): Cursor => ({ ...headOf(number), hash: hashOf(number) })

/** A follower over ledgers in memory, with what it saved, handled and raised. */
export const following = (
  closed: Array<ClosedLedger>,
  changed: Partial<FollowerOptions<Failure>> & { readonly oldest?: number } = {},
) => {
  const network = ledgersInMemory(closed, changed.oldest)
  const state: { cursor: Cursor | null } = { cursor: null }
  const handled: Array<FollowedLedger> = []
  const alarms: Array<Halted> = []
  const options: FollowerOptions<Failure> = {
    gateway: network.gateway,
    cursor: {
      load: () => TE.right(state.cursor),
      advance: (from, to) => {
        const isThere = state.cursor === from
        if (isThere) state.cursor = to
        return TE.right(isThere)
      },
    },
    watched: TE.right(new Set([alice])),
    onLedger: (followed) => {
      handled.push(followed)
      return TE.right(undefined)
    },
    alarm: (halted) => alarms.push(halted),
    batchSize: 3,
    firstLedger: sequence(1),
    ...changed,
  }
  return { ...network, state, handled, alarms, options, follower: createFollower(options) }
}

export const sequences = (handled: ReadonlyArray<FollowedLedger>): ReadonlyArray<number> =>
  handled.map((each) => each.sequence)

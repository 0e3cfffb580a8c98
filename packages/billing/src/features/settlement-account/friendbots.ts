import type { AccountId } from '@quittance/domain'
import type { Friendbot } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

/** The most concurrent requests: a friendbot takes seconds. */
const mostAtOnce = 4

/** The friendbot's last answer for an account. Only the ledger shows whether the account exists. */
export type FriendbotStanding =
  | { readonly _tag: 'not_asked' }
  | { readonly _tag: 'asking' }
  | { readonly _tag: 'given' }
  | { readonly _tag: 'failed'; readonly cause: string }

/** Asks a friendbot in the background; nothing waits for it. */
export interface Friendbots {
  readonly standing: (account: AccountId) => FriendbotStanding
  /** Asks for an account, unless a request for it is under way or too many others are. */
  readonly ask: (account: AccountId) => void
  readonly forget: (account: AccountId) => void
}

export const friendbots = (friendbot: Friendbot): Friendbots => {
  const known = new Map<AccountId, FriendbotStanding>()
  let asking = 0
  const run = async (account: AccountId): Promise<void> => {
    const given = await friendbot(account)()
    asking -= 1
    known.set(account, E.isRight(given) ? { _tag: 'given' } : { _tag: 'failed', cause: given.left.reason })
  }
  const standing = (account: AccountId): FriendbotStanding => known.get(account) ?? { _tag: 'not_asked' }
  return {
    standing,
    ask: (account) => {
      if (asking >= mostAtOnce || standing(account)._tag === 'asking') return
      asking += 1
      known.set(account, { _tag: 'asking' })
      void run(account)
    },
    forget: (account) => {
      known.delete(account)
    },
  }
}

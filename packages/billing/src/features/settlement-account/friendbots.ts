import type { AccountId } from '@quittance/domain'
import type { Friendbot } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'

/** A friendbot takes seconds: so many accounts are asked for at a time. */
const mostAtOnce = 4

/** What a friendbot has last said of an account. Only the ledger tells whether the account exists. */
export type FriendbotStanding =
  | { readonly _tag: 'not_asked' }
  | { readonly _tag: 'asking' }
  | { readonly _tag: 'given' }
  | { readonly _tag: 'failed'; readonly cause: string }

/** Asks a friendbot beside other work, which never waits for it. */
export interface Friendbots {
  readonly standing: (account: AccountId) => FriendbotStanding
  /** Asks for an account, unless it is being asked for, or as many others are as may be. */
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

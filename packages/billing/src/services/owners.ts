import type { AccountId, Environment } from '@quittance/domain'
import type { AccountLookUp } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Services } from './services.ts'

/** The merchant that owns an account, and who signs for it. What it received up to ledger `setUpThrough` was its set-up. */
export type Owner = Scope & { readonly setUpThrough: number; readonly custody: 'service' | 'merchant' }
export type Owners = (account: AccountId) => Promise<Owner | null>

/**
 * Finds the owner of each account that a ledger names in the read model, so nothing is kept here. Accounts of merchants
 * that have left are nobody's.
 */
export const ownersIn =
  ({ readModels, left }: Pick<Services, 'readModels' | 'left'>, environment: Environment): Owners =>
  async (account) => {
    const found = (await readModels.watchedAccounts.withKey(account)).find(({ row }) => row.environment === environment)
    if (found === undefined || (await left.has(found.merchantId))) return null
    const { setUpThrough, custody } = found.row
    return { merchantId: found.merchantId, environment, setUpThrough, custody }
  }

/** Looks up each account once: for the work on one ledger, which may name the same account thousands of times. */
export const lookedUpOnce = (ownerOf: Owners): Owners => {
  const known = new Map<AccountId, Owner | null>()
  return async (account) => {
    const owner = known.get(account)
    if (owner !== undefined) return owner
    const found = await ownerOf(account)
    known.set(account, found)
    return found
  }
}

/** The accounts that are watched by now, including those of merchants that other processes have made. */
export const watchedIn =
  ({ caughtUp }: Pick<Services, 'caughtUp'>, ownerOf: Owners): TE.TaskEither<StoreUnavailable, AccountLookUp> =>
  async () => {
    const caught = await caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const ownerIn = lookedUpOnce(ownerOf)
    return E.right({ has: async (account) => (await ownerIn(account)) !== null })
  }

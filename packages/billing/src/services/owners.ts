import type { AccountId, Environment } from '@quittance/domain'
import type { WatchedAccounts } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Services } from './services.ts'

/** Whose an account is, and who signs for it. What it received up to ledger `setUpThrough` was its set-up. */
export type Owner = Scope & { readonly setUpThrough: number; readonly custody: 'service' | 'merchant' }
export type Owners = (account: AccountId) => Owner | null

/** Whose an account is: asked of the read model for each account that a ledger names, so nothing has to be kept here. */
export const ownersIn =
  ({ readModels }: Services, environment: Environment): Owners =>
  (account) => {
    const found = readModels.watchedAccounts.withKey(account).find(({ row }) => row.environment === environment)
    return found === undefined
      ? null
      : { merchantId: found.merchantId, environment, setUpThrough: found.row.setUpThrough, custody: found.row.custody }
  }

/** The accounts that are watched by now, whichever process has made their merchants. */
export const watchedIn = ({ caughtUp }: Services, ownerOf: Owners): TE.TaskEither<StoreUnavailable, WatchedAccounts> =>
  pipe(
    caughtUp.withLog,
    TE.map(() => ({ has: (account) => ownerOf(account) !== null })),
  )

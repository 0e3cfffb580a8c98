import type { AccountId, Environment } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'
import { someInTurn } from '../kernel/checks-in-turn.ts'

/** Whether an account is in its merchant's custody: the service watches it and has no key for it. */
export const isInMerchantsCustody = async (
  { watchedAccounts }: Pick<ReadModels, 'watchedAccounts'>,
  environment: Environment,
  account: AccountId,
): Promise<boolean> =>
  (await watchedAccounts.withKey(account)).some(
    ({ row }) => row.environment === environment && row.custody === 'merchant',
  )

/** Whether the money that goes out for an owner (`rf_…`, `ret_…`) waits for the merchant's signature. */
export const awaitsSignature = async (
  readModels: Pick<ReadModels, 'watchedAccounts' | 'intents'>,
  environment: Environment,
  owner: string,
): Promise<boolean> =>
  someInTurn(
    await readModels.intents.withKey(owner),
    async ({ row }) =>
      row.status === 'waiting' && (await isInMerchantsCustody(readModels, environment, row.details.source)),
  )

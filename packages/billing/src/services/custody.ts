import type { AccountId, Environment } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'

/** Whether an account is in its merchant's custody: the service watches it and has no key for it. */
export const isInMerchantsCustody = (
  { watchedAccounts }: Pick<ReadModels, 'watchedAccounts'>,
  environment: Environment,
  account: AccountId,
): boolean =>
  watchedAccounts.withKey(account).some(({ row }) => row.environment === environment && row.custody === 'merchant')

/** Whether the money that goes out for an owner (`rf_…`, `ret_…`) waits for the merchant's signature. */
export const awaitsSignature = (
  readModels: Pick<ReadModels, 'watchedAccounts' | 'intents'>,
  environment: Environment,
  owner: string,
): boolean =>
  readModels.intents
    .withKey(owner)
    .some(({ row }) => row.status === 'waiting' && isInMerchantsCustody(readModels, environment, row.details.source))

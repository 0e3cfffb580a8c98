import type { AccountId, Environment } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'

/** Whether an account is in the custody of its merchant: the service watches it, and has no key for it. */
export const isInMerchantsCustody = (
  { watchedAccounts }: Pick<ReadModels, 'watchedAccounts'>,
  environment: Environment,
  account: AccountId,
): boolean =>
  watchedAccounts.withKey(account).some(({ row }) => row.environment === environment && row.custody === 'merchant')

/** Whether what is owed for an owner (`rf_…`, `ret_…`) waits until its merchant signs. */
export const awaitsSignature = (
  readModels: Pick<ReadModels, 'watchedAccounts' | 'intents'>,
  environment: Environment,
  owner: string,
): boolean =>
  readModels.intents
    .withKey(owner)
    .some(({ row }) => row.status === 'waiting' && isInMerchantsCustody(readModels, environment, row.details.source))

import type { AccountId, AssetId, Environment } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'
import { native } from '../../features/book-lines/book-lines.ts'
import type { Network } from '../../services/services.ts'

/**
 * An account's balance of an asset when its books began, in stroops; null if it is not known. An account that the service
 * made held its set-up balance. Of a merchant's own account, the balances of the then accepted assets were read.
 */
export type Opening = (assetId: AssetId) => bigint | null

export const openingOf = async (
  { watchedAccounts }: Pick<ReadModels, 'watchedAccounts'>,
  { setUpBalance }: Pick<Network, 'setUpBalance'>,
  environment: Environment,
  account: AccountId,
): Promise<Opening> => {
  const watched = (await watchedAccounts.withKey(account)).find(({ row }) => row.environment === environment)?.row
  if (watched?.closed !== undefined) {
    // After a reset of the network, what is not listed was not held.
    const held = new Map(watched.opening.map(({ assetId, amount }) => [assetId, amount]))
    return (assetId) => held.get(assetId) ?? 0n
  }
  if (watched?.custody !== 'merchant') return (assetId) => (assetId === native ? setUpBalance : 0n)
  const known = new Map(watched.opening.map(({ assetId, amount }) => [assetId, amount]))
  return (assetId) => known.get(assetId) ?? null
}

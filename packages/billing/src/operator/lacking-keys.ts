import type { AccountId, Environment } from '@quittance/domain'
import { ownAccounts } from '../features/funding/own-accounts.ts'
import { laterKeysOf, rotationsOf } from '../features/outgoing/rotations.ts'
import { ownKeysIn } from '../ingest/recovery/own-accounts.ts'
import { platform } from '../kernel/platform.ts'
import type { Services } from '../services/services.ts'
import type { LackingKey } from '../stores/vault/port.ts'
import { channelKeys, operatorKey, rotatedKeys, settlementKey } from '../stores/vault/vault-signer.ts'

/** The log names a key of this purpose, and the vault lacks it. */
export type KeyLacking = { readonly _tag: 'KeyLacking'; readonly key: string }

/** An older vault lacks the newest keys, so no more is read of each merchant. */
const newest = 20
const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

/**
 * Notes the keys that the log names and the vault lacks, as an older copy of it does, so that no others are made in their
 * place: those of settlement accounts, of accounts that gave transactions their sequence numbers, of the account that
 * mandates name as the one that charges, later keys of all these, and of customers' data.
 */
export const noteLackingKeys = (services: Pick<Services, 'readModels' | 'vault'>): ReadonlyArray<LackingKey> => {
  const lacking = new Map<string, LackingKey>()
  for (const key of environments.flatMap((each) => lackingIn(services, each))) lacking.set(key.name, key)
  services.vault.noteLacking([...lacking.values()])
  return services.vault.lacking()
}

const lackingIn = (
  { readModels, vault }: Pick<Services, 'readModels' | 'vault'>,
  environment: Environment,
): ReadonlyArray<LackingKey> => {
  const made = new Set(vault.keysNamed(''))
  const keysOf = ownKeysIn({ vault, readModels }, environment, () => null)()
  const isOurs = (account: AccountId) => keysOf(account).length > 0
  const isWatched = (account: AccountId) => readModels.watchedAccounts.withKey(account).length > 0

  const settlementAccounts = readModels.watchedAccounts
    .all()
    .filter(({ row }) => row.environment === environment && row.custody === 'service')
  const settlements = settlementAccounts
    .map(({ merchantId, row }) => ({ name: settlementKey(environment, merchantId), subject: row.account }))
    .filter(({ name }) => !made.has(name))

  const merchantIds = readModels.merchants.all().map(({ id }) => id)
  const pages = merchantIds.map((merchantId) => ({ merchantId, environment, limit: newest }))
  const operators = pages
    .flatMap((page) => readModels.subscriptions.page(page).rows)
    .map(({ row }) => row.authorization.mandate.operator)
    .filter((account) => !isOurs(account))
    .map((account) => ({ name: operatorKey(environment), subject: account }))
  const sources = [...pages, { merchantId: platform, environment, limit: newest }]
    .flatMap((page) => readModels.ledgerTransactions.page(page).rows)
    .map(({ row }) => row.sourceAccount)
    .filter((account) => !isOurs(account) && !isWatched(account))
    .map((account) => ({ name: channelKeys(environment), subject: account }))
  const rotated = [...settlementAccounts.map(({ row }) => row.account), ...ownAccounts({ vault }, environment)].flatMap(
    (account) => {
      const held = laterKeysOf(vault, environment, account)
      return rotationsOf(readModels, environment, account)
        .filter(({ action }) => !held.includes(action.to))
        .map(() => ({ name: rotatedKeys(environment, account), subject: account }))
    },
  )
  const customers = pages
    .flatMap((page) => readModels.customers.page(page).rows)
    .filter(({ id, row }) => row.status === 'living' && row.record.profile !== null && !vault.knows(id))
    .map(({ id }) => ({ name: `subject/${id}`, subject: id }))
  return [...settlements, ...operators, ...sources, ...rotated, ...customers].map((each) => ({ environment, ...each }))
}

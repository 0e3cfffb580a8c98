import { type AccountId, type Environment, endOf } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import { ownAccounts } from '../features/funding/own-accounts.ts'
import { laterKeysOf, type Rotation, rotationsOf } from '../features/outgoing/rotations.ts'
import { ownKeysIn } from '../ingest/recovery/own-accounts.ts'
import { platform } from '../kernel/platform.ts'
import type { Services } from '../services/services.ts'
import type { LackingKey } from '../stores/vault/port.ts'
import {
  channelKeys,
  merchantOperatorKey,
  operatorKey,
  rotatedKeys,
  settlementKey,
} from '../stores/vault/vault-signer.ts'

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
export const noteLackingKeys = (
  services: Pick<Services, 'readModels' | 'vault' | 'left'>,
): ReadonlyArray<LackingKey> => {
  const lacking = new Map<string, LackingKey>()
  for (const key of environments.flatMap((each) => lackingIn(services, each))) lacking.set(key.name, key)
  services.vault.noteLacking([...lacking.values()])
  return services.vault.lacking()
}

const lackingIn = (
  { readModels, vault, left }: Pick<Services, 'readModels' | 'vault' | 'left'>,
  environment: Environment,
): ReadonlyArray<LackingKey> => {
  const made = new Set(vault.keysNamed(''))
  const keysOf = ownKeysIn({ vault, readModels, left }, environment, () => null)()
  const isOurs = (account: AccountId) => keysOf(account).length > 0
  const isWatched = (account: AccountId) => readModels.watchedAccounts.withKey(account).length > 0

  const settlementAccounts = readModels.watchedAccounts
    .all()
    .filter(
      ({ merchantId, row }) => row.environment === environment && row.custody === 'service' && !left.has(merchantId),
    )
  const settlements = settlementAccounts
    .map(({ merchantId, row }) => ({ name: settlementKey(environment, merchantId), subject: row.account }))
    .filter(({ name }) => !made.has(name))

  const merchants = readModels.merchants.all().filter(({ id }) => !left.has(id))
  const merchantIds = merchants.map(({ id }) => id)
  // Another installation has the keys of what came along with a merchant.
  const foreign = new Set(merchants.flatMap(({ row }) => row.foreign ?? []))
  const pages = merchantIds.map((merchantId) => ({ merchantId, environment, limit: newest }))
  const named = pages
    .flatMap((page) => readModels.subscriptions.page(page).rows)
    .map(({ merchantId, row }) => ({ merchantId, account: row.authorization.mandate.operator }))
  const adopted = merchants.flatMap(({ id, row }) => {
    const account = row.operators?.[environment]
    return account === undefined ? [] : [{ merchantId: id, account }]
  })
  const keyOf = (merchantId: string, account: AccountId): string =>
    made.has(operatorKey(environment)) || adopted.some((each) => each.account === account)
      ? merchantOperatorKey(environment, merchantId)
      : operatorKey(environment)
  const operators = [...named, ...adopted]
    .filter(({ account }) => !isOurs(account) && !foreign.has(account))
    .map(({ merchantId, account }) => ({ name: keyOf(merchantId, account), subject: account }))
  const sources = [...pages, { merchantId: platform, environment, limit: newest }]
    .flatMap((page) => readModels.ledgerTransactions.page(page).rows)
    .filter(({ row }) => row.intents.every((id) => !isSignedOffline(readModels.intents.withId(id))))
    .map(({ row }) => row.sourceAccount)
    .filter((account) => !isOurs(account) && !isWatched(account) && !foreign.has(account))
    .map((account) => ({ name: channelKeys(environment), subject: account }))
  const rotated = [...settlementAccounts.map(({ row }) => row.account), ...ownAccounts({ vault }, environment)].flatMap(
    (account) => {
      const held = laterKeysOf(vault, environment, account)
      return rotationsThatCount(rotationsOf(readModels, environment, account))
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

/** The last rotation that a ledger holds, and those after it: no earlier key has weight any more. */
const rotationsThatCount = (rotations: ReadonlyArray<Rotation>): ReadonlyArray<Rotation> =>
  rotations.slice(
    Math.max(
      0,
      rotations.findLastIndex(({ row }) => endOf(row)?._tag === 'settled'),
    ),
  )

/** The account of a recovery key pays for what that key has signed: it is none of ours. */
const isSignedOffline = (intent: Found<IntentRow> | null): boolean => {
  const action = intent?.row.details.action
  return action?._tag === 'rotate_key' && action.signedOffline !== undefined
}

import { type AccountId, type Environment, endOf } from '@quittance/domain'
import type { Found, IntentRow } from '@quittance/projections'
import { ownAccounts } from '../features/funding/own-accounts.ts'
import { laterKeysOf, type Rotation, rotationsOf } from '../features/outgoing/rotations.ts'
import { ownKeysIn } from '../ingest/recovery/own-accounts.ts'
import { everyInTurn, filterInTurn } from '../kernel/checks-in-turn.ts'
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
export const noteLackingKeys = async (
  services: Pick<Services, 'readModels' | 'vault' | 'left'>,
): Promise<ReadonlyArray<LackingKey>> => {
  const lacking = new Map<string, LackingKey>()
  for (const key of (await Promise.all(environments.map((each) => lackingIn(services, each)))).flat())
    lacking.set(key.name, key)
  services.vault.noteLacking([...lacking.values()])
  return services.vault.lacking()
}

const lackingIn = async (
  { readModels, vault, left }: Pick<Services, 'readModels' | 'vault' | 'left'>,
  environment: Environment,
): Promise<ReadonlyArray<LackingKey>> => {
  const made = new Set(await vault.keysNamed(''))
  const keysOf = await ownKeysIn({ vault, readModels, left }, environment, async () => null)()
  const isOurs = async (account: AccountId) => (await keysOf(account)).length > 0
  const isWatched = async (account: AccountId) => (await readModels.watchedAccounts.withKey(account)).length > 0

  const settlementAccounts = await filterInTurn(
    await readModels.watchedAccounts.all(),
    async ({ merchantId, row }) =>
      row.environment === environment && row.custody === 'service' && !(await left.has(merchantId)),
  )
  const settlements = settlementAccounts
    .map(({ merchantId, row }) => ({ name: settlementKey(environment, merchantId), subject: row.account }))
    .filter(({ name }) => !made.has(name))

  const merchants = await filterInTurn(await readModels.merchants.all(), async ({ id }) => !(await left.has(id)))
  const merchantIds = merchants.map(({ id }) => id)
  // Another installation has the keys of what came along with a merchant.
  const foreign = new Set(merchants.flatMap(({ row }) => row.foreign ?? []))
  const pages = merchantIds.map((merchantId) => ({ merchantId, environment, limit: newest }))
  const named = (await Promise.all(pages.map(async (page) => (await readModels.subscriptions.page(page)).rows)))
    .flat()
    .map(({ merchantId, row }) => ({ merchantId, account: row.authorization.mandate.operator }))
  const adopted = merchants.flatMap(({ id, row }) => {
    const account = row.operators?.[environment]
    return account === undefined ? [] : [{ merchantId: id, account }]
  })
  const keyOf = (merchantId: string, account: AccountId): string =>
    made.has(operatorKey(environment)) || adopted.some((each) => each.account === account)
      ? merchantOperatorKey(environment, merchantId)
      : operatorKey(environment)
  const operators = (
    await filterInTurn([...named, ...adopted], async ({ account }) => !foreign.has(account) && !(await isOurs(account)))
  ).map(({ merchantId, account }) => ({ name: keyOf(merchantId, account), subject: account }))
  const sources = (
    await filterInTurn(
      (
        await filterInTurn(
          (
            await Promise.all(
              [...pages, { merchantId: platform, environment, limit: newest }].map(
                async (page) => (await readModels.ledgerTransactions.page(page)).rows,
              ),
            )
          ).flat(),
          ({ row }) => everyInTurn(row.intents, async (id) => !isSignedOffline(await readModels.intents.withId(id))),
        )
      ).map(({ row }) => row.sourceAccount),
      async (account) => !foreign.has(account) && !(await isOurs(account)) && !(await isWatched(account)),
    )
  ).map((account) => ({ name: channelKeys(environment), subject: account }))
  const rotated = (
    await Promise.all(
      [...settlementAccounts.map(({ row }) => row.account), ...(await ownAccounts({ vault }, environment))].map(
        async (account) => {
          const held = await laterKeysOf(vault, environment, account)
          return rotationsThatCount(await rotationsOf(readModels, environment, account))
            .filter(({ action }) => !held.includes(action.to))
            .map(() => ({ name: rotatedKeys(environment, account), subject: account }))
        },
      ),
    )
  ).flat()
  const customers = (
    await filterInTurn(
      (await Promise.all(pages.map(async (page) => (await readModels.customers.page(page)).rows))).flat(),
      async ({ id, row }) => row.status === 'living' && row.record.profile !== null && !(await vault.knows(id)),
    )
  ).map(({ id }) => ({ name: `subject/${id}`, subject: id }))
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

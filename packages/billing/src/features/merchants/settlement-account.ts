import {
  type AccountId,
  asText,
  type Environment,
  type LedgerSequence,
  type MerchantCommand,
  type MerchantState,
  trustedAssets,
} from '@quittance/domain'
import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandContext } from '../../kernel/execute.ts'
import {
  type Network,
  type NetworkNotConfigured,
  networkOf,
  type ProvisionFailed,
  type Services,
} from '../../services/services.ts'
import { provisioned } from '../../stores/vault/provision.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'

export type AccountFailure = LedgerUnreachable | SignerUnavailable | NetworkNotConfigured | ProvisionFailed

/**
 * A settlement account in the context's environment, with the commands that assign it to the merchant. Its key is
 * made and the cursor has begun before the commands run. Repeated, it returns the same account.
 */
export const preparedAccount = async (
  services: Pick<Services, 'cursors' | 'vault' | 'networks'>,
  context: CommandContext,
): Promise<E.Either<AccountFailure, ReadonlyArray<MerchantCommand>>> => {
  const { environment } = context
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const account = await settlementAccount(services, network.right, context)
  if (E.isLeft(account)) return account
  const latest = await network.right.gateway.latestLedger()()
  if (E.isLeft(latest)) return latest
  // Ingestion reads ledgers from here on, before anyone can pay to the account.
  await services.cursors.begin(environment, latest.right)
  return E.right(founding(environment, network.right, account.right, latest.right.sequence))
}

/** Whether an existing merchant has no settlement account in an environment. */
export const lacksAccount = (
  merchant: MerchantState,
  { environment }: { readonly environment: Environment },
): boolean => merchant.status === 'active' && merchant.environments[environment].settlement === null

/**
 * A merchant's settlement account. Its key is made and known before anything is sent to it, and a repeated command
 * returns the same one. A network that sets accounts up gets the secret, which is recorded as a use of the key.
 */
const settlementAccount = async (
  { vault }: Pick<Services, 'vault'>,
  { provision }: Network,
  { merchantId, environment, at, actor }: CommandContext,
): Promise<E.Either<ProvisionFailed | SignerUnavailable, AccountId>> => {
  const key = settlementKey(environment, merchantId)
  const account = await vault.createKey(key)()
  if (E.isLeft(account) || provision === null) return account
  const isSetUp = await provisioned(vault, provision, { at, key, account: account.right, actor })
  return E.isLeft(isSetUp) ? isSetUp : account
}

const founding = (
  environment: Environment,
  { assets, gateway, provision }: Network,
  account: AccountId,
  setUpThrough: LedgerSequence,
): ReadonlyArray<MerchantCommand> => {
  const [first] = assets
  const ids = assets.map(({ assetId }) => assetId)
  const done = { environment, account, trusted: trustedAssets(account, ids), ledger: setUpThrough }
  const networkPassphrase = asText(gateway.networkPassphrase)
  return [
    { type: 'SetSettlementAccount', environment, account, networkPassphrase, setUpThrough },
    ...(first === undefined
      ? []
      : [{ type: 'AcceptAssets' as const, environment, assets, defaultAsset: first.assetId }]),
    // If the network has set the account up, nothing is left to do.
    ...(first === undefined || provision === null ? [] : [{ type: 'CompleteSetUp' as const, ...done }]),
  ]
}

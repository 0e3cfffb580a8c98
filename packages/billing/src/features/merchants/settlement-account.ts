import {
  type AccountId,
  asText,
  type Environment,
  type LedgerSequence,
  type MerchantCommand,
  type MerchantState,
  trustedAssets,
} from '@quittance/domain'
import { keyPairFromSeed, type LedgerUnreachable, localSigner } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import {
  type Network,
  type NetworkNotConfigured,
  networkOf,
  type ProvisionFailed,
  type Services,
} from '../../services/services.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'

export type AccountFailure = LedgerUnreachable | NetworkNotConfigured | ProvisionFailed

/**
 * A settlement account in the context's environment, and the commands that make it the merchant's. Its seed is in the vault and
 * the cursor has begun before the commands are given. Run again, it finds the same account.
 */
export const preparedAccount = (
  services: Services,
  context: CommandContext,
): TE.TaskEither<AccountFailure, ReadonlyArray<MerchantCommand>> =>
  pipe(
    TE.fromEither(networkOf(services, context.environment)),
    TE.bindTo('network'),
    TE.bindW('account', ({ network }) => settlementAccount(services, network, context)),
    TE.bindW('latest', ({ network }) => network.gateway.latestLedger()),
    // Before anyone can be told to pay to the account: its ledgers are read from here, whenever a worker starts.
    TE.tap(({ latest }) => TE.fromIO(() => services.cursors.begin(context.environment, latest))),
    TE.map(({ network, account, latest }) => founding(context.environment, network, account, latest.sequence)),
  )

/** Whether a merchant that exists has no settlement account in an environment. */
export const lacksAccount = (
  merchant: MerchantState,
  { environment }: { readonly environment: Environment },
): boolean => merchant.status === 'active' && merchant.environments[environment].settlement === null

/**
 * The account that a merchant is paid to. Its seed is in the vault before anything is sent to it, and a repeated command
 * finds the same one. A network that sets accounts up by itself is handed the secret, which is written down as a use.
 */
const settlementAccount = (
  { vault }: Services,
  { provision }: Network,
  { merchantId, environment, at, actor }: CommandContext,
): TE.TaskEither<ProvisionFailed, AccountId> => {
  const key = settlementKey(environment, merchantId)
  const account = vault.withSeed(key, localSigner).publicKey
  if (provision === null) return TE.right(account)
  return pipe(
    TE.fromIO(() => vault.signings.add({ at, key, account, purpose: 'provision', digest: null, actor })),
    TE.chain(() => provision(vault.withSeed(key, keyPairFromSeed).secret)),
    TE.map(() => account),
  )
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
    // Where the network has set the account up, nothing is left to do.
    ...(first === undefined || provision === null ? [] : [{ type: 'CompleteSetUp' as const, ...done }]),
  ]
}

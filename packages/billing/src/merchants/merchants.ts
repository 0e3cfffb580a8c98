import { randomBytes } from 'node:crypto'
import {
  type AccountId,
  type ApiKeyId,
  asText,
  defaultPolicy,
  type Environment,
  type LedgerSequence,
  Merchant,
  type MerchantCommand,
  MerchantId,
  type MerchantRejection,
  type Policy,
  type Text,
} from '@quittance/domain'
import { keyPairFromSeed, type LedgerUnreachable } from '@quittance/ledger'
import type { ApiKeyRow, Found } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../all-of.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { type Network, type NetworkNotConfigured, networkOf, type ProvisionFailed, type Services } from '../services.ts'
import { authenticate, newApiKey, type Principal } from './api-keys.ts'

export type MerchantFailure =
  | ExecuteFailure
  | MerchantRejection
  | LedgerUnreachable
  | NetworkNotConfigured
  | ProvisionFailed

/** A key as it is shown to its holder, once. */
export type NewKey = { readonly keyId: string; readonly secret: string }

export interface Merchants {
  /**
   * A merchant with a settlement account of its own on the testnet, the assets that network offers, and a secret key.
   * The account is funded and trusts its assets before the merchant exists to anyone.
   */
  readonly create: (
    context: MerchantContext,
    name: Text,
  ) => TE.TaskEither<MerchantFailure, NewKey & { readonly merchantId: string }>
  readonly setPolicy: (context: CommandContext, policy: Partial<Policy>) => TE.TaskEither<MerchantFailure, Policy>
  readonly createKey: (context: CommandContext, scopes: ReadonlyArray<string>) => TE.TaskEither<MerchantFailure, NewKey>
  readonly revokeKey: (context: CommandContext, keyId: ApiKeyId) => TE.TaskEither<MerchantFailure, void>
  readonly keys: (merchantId: string) => ReadonlyArray<Found<ApiKeyRow>>
  readonly names: () => ReadonlyArray<{ readonly merchantId: string; readonly name: string }>
  readonly authenticate: (secret: string) => O.Option<Principal>
}

/** The context of a merchant that does not exist yet: its id follows from the command. */
export type MerchantContext = Omit<CommandContext, 'merchantId'>

export const merchants = (services: Services): Merchants => {
  const { store, readModels, caughtUp } = services
  // Every request looks a key up and hardly any changes one: who changes them waits for the read model, nobody else.
  const run = (context: CommandContext, commands: ReadonlyArray<MerchantCommand>) =>
    pipe(
      execute(store)(Merchant, context.merchantId, context, allOf(Merchant.decider, commands)),
      TE.chainFirstTaskK(() => () => caughtUp.withOwnWrites(context.merchantId)),
    )

  const addKey = (context: CommandContext, before: ReadonlyArray<MerchantCommand>, scopes: ReadonlyArray<string>) => {
    const { secret, key } = newApiKey(services.vault, context, context.environment, scopes)
    return TE.map((): NewKey => ({ keyId: key.keyId, secret }))(
      run(context, [...before, { type: 'CreateApiKey', key }]),
    )
  }

  return {
    create: (unnamed, name) => {
      const merchantId = createdId(MerchantId, unnamed.at, unnamed.commandId)
      const context = { ...unnamed, merchantId }
      return pipe(
        TE.fromEither(networkOf(services, context.environment)),
        TE.bindTo('network'),
        TE.bindW('account', ({ network }) => settlementAccount(services, network, context)),
        TE.bindW('latest', ({ network }) => network.gateway.latestLedger()),
        // Before anyone can be told to pay to the account: its ledgers are read from here, whenever a worker starts.
        TE.tap(({ latest }) => TE.fromIO(() => services.cursors.begin(context.environment, latest))),
        TE.chainW(({ network, account, latest }) =>
          addKey(context, founding(name, context.environment, network, account, latest.sequence), []),
        ),
        TE.map((key) => ({ ...key, merchantId })),
      )
    },
    setPolicy: (context, policy) =>
      pipe(
        execute(store)(Merchant, context.merchantId, context, (state) =>
          Merchant.decider.decide({
            type: 'SetPolicy',
            policy: { ...(state.status === 'absent' ? defaultPolicy : state.policy), ...policy },
          })(state),
        ),
        TE.map(({ state }) => (state.status === 'absent' ? defaultPolicy : state.policy)),
      ),
    createKey: (context, scopes) => addKey(context, [], scopes),
    revokeKey: (context, keyId) => TE.map(() => undefined)(run(context, [{ type: 'RevokeApiKey', keyId }])),
    keys: (merchantId) => readModels.apiKeys.all().filter((each) => each.merchantId === merchantId),
    names: () => readModels.merchants.all().map(({ id, row }) => ({ merchantId: id, name: row.name })),
    authenticate: authenticate(services),
  }
}

/**
 * The account that a merchant is paid to. Its secret is in the vault before anything is sent to it, and a repeated
 * command finds the same one.
 */
const settlementAccount = (
  { vault }: Services,
  { provision }: Network,
  { merchantId, environment }: CommandContext,
): TE.TaskEither<ProvisionFailed, AccountId> => {
  const name = `settlement/${environment}/${merchantId}`
  const seed = vault.keepSecret(name, randomBytes(32).toString('hex'))
  const { accountId, secret } = keyPairFromSeed(Buffer.from(seed, 'hex'))
  return TE.map(() => accountId)(provision === null ? TE.right(undefined) : provision(secret))
}

const founding = (
  name: Text,
  environment: Environment,
  { assets, gateway }: Network,
  account: AccountId,
  setUpThrough: LedgerSequence,
): ReadonlyArray<MerchantCommand> => {
  const [first] = assets
  const networkPassphrase = asText(gateway.networkPassphrase)
  return [
    { type: 'CreateMerchant', name },
    { type: 'SetSettlementAccount', environment, account, networkPassphrase, setUpThrough },
    ...(first === undefined
      ? []
      : [{ type: 'AcceptAssets' as const, environment, assets, defaultAsset: first.assetId }]),
  ]
}

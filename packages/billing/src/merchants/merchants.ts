import {
  type AccountId,
  type ApiKeyId,
  asText,
  defaultPolicy,
  type Environment,
  type LedgerSequence,
  Merchant,
  type MerchantCommand,
  type MerchantEvent,
  MerchantId,
  type MerchantRejection,
  type MerchantState,
  type Policy,
  type Text,
  trustedAssets,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { keyPairFromSeed, type LedgerUnreachable, localSigner } from '@quittance/ledger'
import type { ApiKeyRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../all-of.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { type Network, type NetworkNotConfigured, networkOf, type ProvisionFailed, type Services } from '../services.ts'
import { settlementKey } from '../vault/vault-signer.ts'
import { authenticate, newApiKey, type Principal, successorOf } from './api-keys.ts'

export type MerchantFailure =
  | ExecuteFailure
  | MerchantRejection
  | LedgerUnreachable
  | NetworkNotConfigured
  | ProvisionFailed

/** A key as it is shown to its holder, once. */
export type NewKey = { readonly keyId: string; readonly secret: string }

/** A key that has taken the place of another, which ends at `validUntil`. */
export type RotatedKey = NewKey & { readonly validUntil: UnixMs }

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
  /**
   * A new key for the same, in the place of another that stays valid for `overlapMs` more. Errors: `ApiKeyIsRevoked`,
   * and `ApiKeyIsReplaced` for one that another has replaced already.
   */
  readonly rotateKey: (
    context: CommandContext,
    keyId: ApiKeyId,
    overlapMs: number,
  ) => TE.TaskEither<MerchantFailure, RotatedKey>
  readonly revokeKey: (context: CommandContext, keyId: ApiKeyId) => TE.TaskEither<MerchantFailure, void>
  readonly keys: (merchantId: string) => ReadonlyArray<Found<ApiKeyRow>>
  readonly names: () => ReadonlyArray<{ readonly merchantId: string; readonly name: string }>
  /** When a key was last used, to the minute; null for one that never was. */
  readonly lastUsed: (keyId: string) => UnixMs | null
  readonly authenticate: (secret: string) => O.Option<Principal>
}

type Decision = E.Either<MerchantRejection, ReadonlyArray<MerchantEvent>>

/** The context of a merchant that does not exist yet: its id follows from the command. */
export type MerchantContext = Omit<CommandContext, 'merchantId'>

export const merchants = (services: Services): Merchants => {
  const { store, readModels, caughtUp } = services
  // Every request looks a key up and hardly any changes one: who changes them waits for the read model, nobody else.
  const run = (context: CommandContext, decide: (state: MerchantState) => Decision) =>
    pipe(
      execute(store)(Merchant, context.merchantId, context, decide),
      TE.chainFirstTaskK(() => () => caughtUp.withOwnWrites(context.merchantId)),
    )

  const addKey = (context: CommandContext, before: ReadonlyArray<MerchantCommand>, scopes: ReadonlyArray<string>) => {
    const { secret, key } = newApiKey(services.vault, context, context.environment, scopes)
    return TE.map((): NewKey => ({ keyId: key.keyId, secret }))(
      run(context, allOf(Merchant.decider, [...before, { type: 'CreateApiKey', key }])),
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
    rotateKey: (context, keyId, overlapMs) => {
      const validUntil = unixMs(context.at + overlapMs)
      const successor = successorOf(services.vault, context, keyId)
      const decide = (state: MerchantState) =>
        pipe(
          successor(state),
          E.chainW(({ key }) => Merchant.decider.decide({ type: 'ReplaceApiKey', keyId, key, validUntil })(state)),
        )
      return pipe(
        run(context, decide),
        TE.chainEitherKW(({ state }) => successor(state)),
        TE.map(({ secret, key }) => ({ keyId: key.keyId, secret, validUntil })),
      )
    },
    revokeKey: (context, keyId) =>
      TE.map(() => undefined)(run(context, Merchant.decider.decide({ type: 'RevokeApiKey', keyId }))),
    keys: (merchantId) => readModels.apiKeys.all().filter((each) => each.merchantId === merchantId),
    names: () => readModels.merchants.all().map(({ id, row }) => ({ merchantId: id, name: row.name })),
    lastUsed: services.keyUse.last,
    authenticate: authenticate(services),
  }
}

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
  name: Text,
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
    { type: 'CreateMerchant', name },
    { type: 'SetSettlementAccount', environment, account, networkPassphrase, setUpThrough },
    ...(first === undefined
      ? []
      : [{ type: 'AcceptAssets' as const, environment, assets, defaultAsset: first.assetId }]),
    // Where the network has set the account up, nothing is left to do.
    ...(first === undefined || provision === null ? [] : [{ type: 'CompleteSetUp' as const, ...done }]),
  ]
}

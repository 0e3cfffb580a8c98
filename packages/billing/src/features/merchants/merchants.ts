import {
  type ApiKeyId,
  defaultPolicy,
  Merchant,
  type MerchantCommand,
  type MerchantEvent,
  MerchantId,
  type MerchantRejection,
  type MerchantState,
  type Policy,
  type Text,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { ApiKeyRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../../kernel/all-of.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import type { Services } from '../../services/services.ts'
import { authenticate, newApiKey, type Principal, successorOf } from './api-keys.ts'
import { type AccountFailure, lacksAccount, preparedAccount } from './settlement-account.ts'

export type MerchantFailure = ExecuteFailure | MerchantRejection | AccountFailure

/** A key as it is shown to its holder, once. */
export type NewKey = { readonly keyId: string; readonly secret: string }

/** A key that has taken the place of another, which ends at `validUntil`. */
export type RotatedKey = NewKey & { readonly validUntil: UnixMs }

export interface Merchants {
  /**
   * A merchant with a settlement account of its own in the context's environment, the assets that network offers, and a
   * secret key. Where the network sets accounts up by itself, it is funded and trusts its assets before the merchant exists
   * to anyone.
   */
  readonly create: (
    context: MerchantContext,
    name: Text,
  ) => TE.TaskEither<MerchantFailure, NewKey & { readonly merchantId: string }>
  readonly setPolicy: (context: CommandContext, policy: Partial<Policy>) => TE.TaskEither<MerchantFailure, Policy>
  /** A key of the context's environment. A merchant who has no settlement account there gets one, as `create` makes it. */
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
  const merchantOf = rememberedStates(store, Merchant)
  // Every request looks a key up and hardly any changes one: who changes them waits for the read model, nobody else.
  const run = (context: CommandContext, decide: (state: MerchantState) => Decision) =>
    pipe(
      executeLater(store)(Merchant, context.merchantId, context, decide),
      TE.chainFirstTaskK(() => () => caughtUp.withOwnWrites(context.merchantId)),
    )

  const addKey = (
    context: CommandContext,
    before: (state: MerchantState) => ReadonlyArray<MerchantCommand>,
    scopes: ReadonlyArray<string>,
  ) => {
    const { secret, key } = newApiKey(services.vault, context, context.environment, scopes)
    return TE.map((): NewKey => ({ keyId: key.keyId, secret }))(
      run(context, (state) => allOf(Merchant.decider, [...before(state), { type: 'CreateApiKey', key }])(state)),
    )
  }

  /** What founds the account of the key's environment, where the merchant has none there yet. */
  const missingAccount = (context: CommandContext) =>
    pipe(
      () => merchantOf(context.merchantId),
      TE.chainW((merchant) => (lacksAccount(merchant, context) ? preparedAccount(services, context) : TE.right([]))),
    )

  return {
    create: (unnamed, name) => {
      const merchantId = createdId(MerchantId, unnamed.at, unnamed.commandId)
      const context = { ...unnamed, merchantId }
      return pipe(
        preparedAccount(services, context),
        TE.bindTo('account'),
        TE.bindW('key', ({ account }) => addKey(context, () => [{ type: 'CreateMerchant', name }, ...account], [])),
        TE.map(({ key }) => ({ ...key, merchantId })),
      )
    },
    setPolicy: (context, policy) =>
      pipe(
        executeLater(store)(Merchant, context.merchantId, context, (state) =>
          Merchant.decider.decide({
            type: 'SetPolicy',
            policy: { ...(state.status === 'absent' ? defaultPolicy : state.policy), ...policy },
          })(state),
        ),
        TE.map(({ state }) => (state.status === 'absent' ? defaultPolicy : state.policy)),
      ),
    createKey: (context, scopes) =>
      pipe(
        missingAccount(context),
        TE.chainW((account) => addKey(context, (merchant) => (lacksAccount(merchant, context) ? account : []), scopes)),
      ),
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

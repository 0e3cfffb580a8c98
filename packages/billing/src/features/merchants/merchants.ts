import {
  type ApiKeyId,
  defaultPolicy,
  type KeyMaker,
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
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../../kernel/all-of.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type Decide, type Executed, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import type { Services } from '../../services/services.ts'
import { authenticate, type KeyPurpose, newApiKey, ofOperator, type Principal, successorOf } from './api-keys.ts'
import type { MerchantServices } from './services.ts'
import { type AccountFailure, lacksAccount, preparedAccount } from './settlement-account.ts'

export type MerchantFailure = ExecuteFailure | MerchantRejection | AccountFailure

/** A key with its secret, which its holder sees once. */
export type NewKey = { readonly keyId: string; readonly secret: string }

/** A new key; the replaced one ends at `validUntil`. */
export type RotatedKey = NewKey & { readonly validUntil: UnixMs }

export interface Merchants {
  /**
   * Creates a merchant with a settlement account in the context's environment, the assets that the network offers, and
   * a secret key. If the network sets accounts up, the account is funded and has its trustlines before the merchant
   * exists.
   */
  readonly create: (
    context: MerchantContext,
    name: Text,
  ) => TE.TaskEither<MerchantFailure, NewKey & { readonly merchantId: string }>
  readonly setPolicy: (context: CommandContext, policy: Partial<Policy>) => TE.TaskEither<MerchantFailure, Policy>
  /** Creates a key of the context's environment, and a settlement account there if the merchant has none. */
  readonly createKey: (
    context: CommandContext,
    scopes: ReadonlyArray<string>,
    purpose?: KeyPurpose,
  ) => TE.TaskEither<MerchantFailure, NewKey>
  /**
   * Replaces a key by a new one of the same kind and scopes. The replaced key stays valid for `overlapMs` more. Errors:
   * `ApiKeyIsRevoked`; `ApiKeyIsReplaced` for a key that was replaced before; `ReplacementUnlike` for one that stands for
   * another person than the member who replaces it.
   */
  readonly rotateKey: (
    context: CommandContext,
    keyId: ApiKeyId,
    overlapMs: number,
    maker?: KeyMaker,
  ) => TE.TaskEither<MerchantFailure, RotatedKey>
  readonly revokeKey: (context: CommandContext, keyId: ApiKeyId) => TE.TaskEither<MerchantFailure, void>
  readonly keys: (merchantId: string) => Promise<ReadonlyArray<Found<ApiKeyRow>>>
  readonly names: () => Promise<ReadonlyArray<{ readonly merchantId: string; readonly name: string }>>
  /** When a key was last used, to the minute; null if it never was. */
  readonly lastUsed: (keyId: string) => Promise<UnixMs | null>
  readonly authenticate: (secret: string) => TE.TaskEither<StoreUnavailable, O.Option<Principal>>
}

/** The context of a merchant that does not exist yet: its id derives from the command. */
export type MerchantContext = Omit<CommandContext, 'merchantId'>

export const merchants = (services: MerchantServices): Merchants => {
  const { store, readModels } = services
  const merchantOf = rememberedStates(store, Merchant)
  return {
    create: (unnamed, name) => async () => {
      const merchantId = createdId(MerchantId, unnamed.at, unnamed.commandId)
      const context = { ...unnamed, merchantId }
      const account = await preparedAccount(services, context)
      if (E.isLeft(account)) return account
      const commands: ReadonlyArray<MerchantCommand> = [{ type: 'CreateMerchant', name }, ...account.right]
      const key = await addKey(services, context, () => commands, [], ofOperator)
      return E.isLeft(key) ? key : E.right({ ...key.right, merchantId })
    },
    setPolicy: (context, changed) => async () => {
      const set = await execute(store)(Merchant, context.merchantId, context, (state) =>
        Merchant.decider.decide({ type: 'SetPolicy', policy: { ...policyOf(state), ...changed } })(state),
      )
      return E.isLeft(set) ? set : E.right(policyOf(set.right.state))
    },
    createKey:
      (context, scopes, purpose = ofOperator) =>
      async () => {
        const merchant = await merchantOf(context.merchantId)
        if (E.isLeft(merchant)) return merchant
        const account = lacksAccount(merchant.right, context) ? await preparedAccount(services, context) : E.right([])
        if (E.isLeft(account)) return account
        return addKey(
          services,
          context,
          (state) => (lacksAccount(state, context) ? account.right : []),
          scopes,
          purpose,
        )
      },
    rotateKey: (context, keyId, overlapMs, maker) => async () => {
      const validUntil = unixMs(context.at + overlapMs)
      const successor = successorOf(services.vault, context, keyId, maker ?? null)
      const replaced = await changeKeys(services, context, async (state) => {
        const next = await successor(state)
        if (E.isLeft(next)) return next
        return Merchant.decider.decide({ type: 'ReplaceApiKey', keyId, key: next.right.key, validUntil })(state)
      })
      if (E.isLeft(replaced)) return replaced
      const next = await successor(replaced.right.state)
      if (E.isLeft(next)) return next
      const { secret, key } = next.right
      return E.right({ keyId: key.keyId, secret, validUntil })
    },
    revokeKey: (context, keyId) => async () => {
      const revoked = await changeKeys(services, context, Merchant.decider.decide({ type: 'RevokeApiKey', keyId }))
      return E.isLeft(revoked) ? revoked : E.right(undefined)
    },
    keys: async (merchantId) => (await readModels.apiKeys.all()).filter((each) => each.merchantId === merchantId),
    names: async () => (await readModels.merchants.all()).map(({ id, row }) => ({ merchantId: id, name: row.name })),
    lastUsed: services.keyUse.last,
    authenticate: authenticate(services),
  }
}

const policyOf = (state: MerchantState): Policy => (state.status === 'absent' ? defaultPolicy : state.policy)

/** Every request looks up a key, and few change one: only a change waits for the read model. */
const changeKeys = async (
  { store, caughtUp }: Pick<Services, 'store' | 'caughtUp'>,
  context: CommandContext,
  decide: Decide<MerchantState, MerchantEvent, MerchantRejection>,
): Promise<E.Either<MerchantFailure, Executed<MerchantState>>> => {
  const changed = await execute(store)(Merchant, context.merchantId, context, decide)
  if (E.isRight(changed)) await caughtUp.withOwnWrites(context.merchantId)
  return changed
}

/** Adds a key, after the commands that `before` names for the merchant's state. */
const addKey = async (
  services: Pick<Services, 'store' | 'caughtUp' | 'vault'>,
  context: CommandContext,
  before: (state: MerchantState) => ReadonlyArray<MerchantCommand>,
  scopes: ReadonlyArray<string>,
  purpose: KeyPurpose,
): Promise<E.Either<MerchantFailure, NewKey>> => {
  const { secret, key } = await newApiKey(services.vault, context, context.environment, scopes, purpose)
  const added = await changeKeys(services, context, (state) =>
    allOf(Merchant.decider, [...before(state), { type: 'CreateApiKey', key }])(state),
  )
  return E.isLeft(added) ? added : E.right({ keyId: key.keyId, secret })
}

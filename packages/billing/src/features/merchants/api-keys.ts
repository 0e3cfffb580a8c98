import { hash as digestOf, timingSafeEqual } from 'node:crypto'
import {
  type ApiKey,
  ApiKeyId,
  asText,
  type Environment,
  type KeyedHash,
  type KeyMaker,
  type MerchantRejection,
  type MerchantState,
  memberIn,
  Team,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type { ApiKeyRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import { keyScopesFor } from '../../resources/member-scopes.ts'
import type { Vault } from '../../stores/vault/port.ts'
import type { MerchantServices } from './services.ts'

/** The merchant and environment that a credential speaks for. Only app tokens are bound by `scopes`. */
export type Principal = {
  readonly merchantId: string
  readonly environment: Environment
  readonly keyId: string
  readonly kind: 'secret' | 'app'
  readonly scopes: ReadonlyArray<string>
}

const prefixes = {
  secret: { testnet: 'sk_test_', mainnet: 'sk_live_' },
  app: { testnet: 'app_test_', mainnet: 'app_live_' },
} as const

/** What a key is made for: a name, and the member who makes it; the operator without one. */
export type KeyPurpose = { readonly label: Text | null; readonly maker: KeyMaker | null }

/** The operator's, without a name. */
export const ofOperator: KeyPurpose = { label: null, maker: null }

/**
 * A new key: its secret, which the holder sees once, and the keyed hash that is stored. The secret's 256 bits derive
 * from a vault key and the command, so a repeated command shows the same secret.
 */
export const newApiKey = async (
  vault: Vault,
  { at, commandId }: CommandContext,
  environment: Environment,
  scopes: ReadonlyArray<string>,
  { label, maker }: KeyPurpose = ofOperator,
): Promise<{ readonly secret: string; readonly key: ApiKey }> => {
  const kind = scopes.length === 0 ? 'secret' : 'app'
  const prefix = prefixes[kind][environment]
  const bits = Buffer.from(await vault.keyedHash('api key secret', `${commandId}\n${environment}\n${kind}`), 'hex')
  const secret = `${prefix}${bits.toString('base64url')}`
  const key: ApiKey = {
    keyId: createdId(ApiKeyId, at, commandId),
    environment,
    kind,
    scopes: scopes.map(asText),
    keyHash: await apiKeyHash(vault, secret),
    prefix: asText(prefix),
    lastFour: asText(secret.slice(-4)),
    label,
    ...(maker === null ? {} : { maker }),
  }
  return { secret, key }
}

/** A new key with the environment and permissions of an existing one, whose maker it keeps unless a member makes it. */
export const successorOf =
  (vault: Vault, context: CommandContext, keyId: ApiKeyId, maker: KeyMaker | null) =>
  async (merchant: MerchantState): Promise<E.Either<MerchantRejection, Awaited<ReturnType<typeof newApiKey>>>> => {
    if (merchant.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
    const old = merchant.apiKeys.find((each) => each.keyId === keyId)
    if (old === undefined) return E.left({ _tag: 'ApiKeyNotFound', keyId })
    const purpose = { label: old.label, maker: maker ?? old.maker ?? null }
    return E.right(await newApiKey(vault, context, old.environment, old.scopes, purpose))
  }

const mostVerified = 1_000

const apiKeyHash = (vault: Vault, secret: string): Promise<KeyedHash> => vault.keyedHash('api key', secret)

/**
 * The holder of a key; none if the key is unknown, revoked, or replaced and expired, and none where a member has made it who
 * has left the team, or whose role may not make it any more. Both look-up and comparison use keyed hashes, so their duration
 * reveals nothing about a key.
 */
export const authenticate = ({ store, readModels, vault, clock, keyUse }: MerchantServices) => {
  const teamOf = rememberedStates(store, Team)
  /** What a key may do now; null for nothing at all. */
  const scopesNow = async (
    merchantId: string,
    key: ApiKey,
  ): Promise<E.Either<StoreUnavailable, ReadonlyArray<string> | null>> => {
    if (key.maker === undefined) return E.right(key.scopes)
    const team = await teamOf(merchantId)
    if (E.isLeft(team)) return team
    const maker = memberIn(team.right, key.maker.memberId)
    return E.right(maker?.status === 'active' ? keyScopesFor(maker.role, key) : null)
  }
  // The keyed hashes of verified secrets, by their digests: the hash of a secret never changes, even if its key does.
  const verified = new Map<string, KeyedHash>()
  return (secret: string) => async (): Promise<E.Either<StoreUnavailable, O.Option<Principal>>> => {
    const digest = digestOf('sha256', secret, 'base64')
    const hash = verified.get(digest) ?? (await apiKeyHash(vault, secret))
    const [found] = await readModels.apiKeys.withKey(hash)
    if (found === undefined || !isSameHash(found.row.key.keyHash, hash)) return E.right(O.none)
    const { keyId, environment, kind } = found.row.key
    const now = clock.now(environment)
    if (hasEnded(found.row, now)) return E.right(O.none)
    const scopes = await scopesNow(found.merchantId, found.row.key)
    if (E.isLeft(scopes)) return scopes
    if (scopes.right === null) return E.right(O.none)
    if (verified.size >= mostVerified) verified.clear()
    verified.set(digest, hash)
    await keyUse.note(keyId, now)
    return E.right(O.some({ merchantId: found.merchantId, environment, keyId, kind, scopes: scopes.right }))
  }
}

const isSameHash = (one: KeyedHash, other: KeyedHash): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A replaced key expires by itself. */
const hasEnded = ({ validUntil, revokedAt }: ApiKeyRow, now: UnixMs): boolean =>
  revokedAt !== null || (validUntil !== null && validUntil <= now)

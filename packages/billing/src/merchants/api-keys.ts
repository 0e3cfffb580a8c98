import { type ApiKey, ApiKeyId, asText, type Environment, type KeyedHash } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { CommandContext } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import type { Services } from '../services.ts'
import type { Vault } from '../vault/port.ts'

/** Who a credential speaks for. `scopes` bind an app token only. */
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

/**
 * A new key: what its holder is shown, once, and what is stored, which is a keyed hash alone. The secret's 256 bits
 * derive from a key of the vault and the command, so a repeated command shows the secret that was stored.
 */
export const newApiKey = (
  vault: Vault,
  { at, commandId }: CommandContext,
  environment: Environment,
  scopes: ReadonlyArray<string>,
): { readonly secret: string; readonly key: ApiKey } => {
  const kind = scopes.length === 0 ? 'secret' : 'app'
  const prefix = prefixes[kind][environment]
  const bits = Buffer.from(vault.keyedHash('api key secret', `${commandId}\n${environment}\n${kind}`), 'hex')
  const secret = `${prefix}${bits.toString('base64url')}`
  const key: ApiKey = {
    keyId: createdId(ApiKeyId, at, commandId),
    environment,
    kind,
    scopes: scopes.map(asText),
    keyHash: apiKeyHash(vault, secret),
    prefix: asText(prefix),
    lastFour: asText(secret.slice(-4)),
    label: null,
  }
  return { secret, key }
}

const apiKeyHash = (vault: Vault, secret: string): KeyedHash => vault.keyedHash('api key', secret)

/**
 * Whose key this is; none for one that is unknown or revoked. The look-up is by keyed hash, so the time it takes says
 * nothing about a key that an attacker has to guess.
 */
export const authenticate =
  ({ readModels, vault }: Services) =>
  (secret: string): O.Option<Principal> => {
    const [found] = readModels.apiKeys.withKey(apiKeyHash(vault, secret))
    if (found === undefined || found.row.revokedAt !== null) return O.none
    const { keyId, environment, kind, scopes } = found.row.key
    return O.some({ merchantId: found.merchantId, environment, keyId, kind, scopes })
  }

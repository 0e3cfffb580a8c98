import type { AccountId, Environment } from '@quittance/domain'
import { type KeysOf, localSigner } from '@quittance/ledger'
import { knownKeysOf } from '../../features/outgoing/rotations.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKey } from '../../stores/vault/vault-signer.ts'

/**
 * Finds the keys of the accounts that the service holds keys of: settlement accounts in its custody, channels, and the account
 * that charges. The names of accounts are derived once, and new ones are seen at the next call.
 */
export const ownKeysIn = (
  services: Pick<Services, 'vault' | 'readModels'>,
  environment: Environment,
  ownerOf: Owners,
) => {
  const { vault } = services
  const accounts = new Map<string, AccountId>()
  return (): KeysOf => {
    const operator = madeOperatorKey(vault, environment)
    const keys = [...madeChannelKeys(vault, environment), ...(operator === null ? [] : [operator])]
    for (const key of keys) if (!accounts.has(key)) accounts.set(key, vault.withSeed(key, localSigner).publicKey)
    const own = new Set(accounts.values())
    const known = new Map<AccountId, ReadonlyArray<AccountId>>()
    return (account) => {
      if (!own.has(account) && ownerOf(account)?.custody !== 'service') return []
      const found = known.get(account) ?? knownKeysOf(services, environment, account)
      known.set(account, found)
      return found
    }
  }
}

import type { AccountId, Environment } from '@quittance/domain'
import { type KeysOf, localSigner } from '@quittance/ledger'
import { knownKeysOf } from '../../features/outgoing/rotations.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

/**
 * Finds the keys of the accounts that the service holds keys of: settlement accounts in its custody, channels, and the accounts
 * that charge. The names of accounts are derived once, and new ones are seen at the next call.
 */
export const ownKeysIn = (
  services: Pick<Services, 'vault' | 'readModels' | 'left'>,
  environment: Environment,
  ownerOf: Owners,
) => {
  const { vault, left } = services
  const accounts = new Map<string, AccountId>()
  return (): KeysOf => {
    const operators = madeOperatorKeys(vault, environment).filter((key) => !left.has(key.split('/')[2] ?? ''))
    const keys = [...madeChannelKeys(vault, environment), ...operators]
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

import type { AccountId, Environment } from '@quittance/domain'
import type { KeysOf } from '@quittance/ledger'
import { knownKeysOf } from '../../features/outgoing/rotations.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

/**
 * Finds the keys of the accounts that the service holds keys of: settlement accounts in its custody, channels, and the accounts
 * that charge. New ones are seen at the next call.
 */
export const ownKeysIn = (
  services: Pick<Services, 'vault' | 'readModels' | 'left'>,
  environment: Environment,
  ownerOf: Owners,
) => {
  const { vault, left } = services
  return (): KeysOf => {
    const operators = madeOperatorKeys(vault, environment).filter((key) => !left.has(key.split('/')[2] ?? ''))
    const keys = [...madeChannelKeys(vault, environment), ...operators]
    const own = new Set(keys.flatMap((key) => vault.publicKey(key) ?? []))
    const known = new Map<AccountId, ReadonlyArray<AccountId>>()
    return (account) => {
      if (!own.has(account) && ownerOf(account)?.custody !== 'service') return []
      const found = known.get(account) ?? knownKeysOf(services, environment, account)
      known.set(account, found)
      return found
    }
  }
}

import type { AccountId, Environment } from '@quittance/domain'
import { localSigner } from '@quittance/ledger'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKey } from '../../stores/vault/vault-signer.ts'

/**
 * Finds the accounts whose keys are in the vault: settlement accounts in the service's custody, channels, and the account
 * that charges. Keys are derived once, and new ones are seen at the next call.
 */
export const ownAccountsIn = ({ vault }: Pick<Services, 'vault'>, environment: Environment, ownerOf: Owners) => {
  const accounts = new Map<string, AccountId>()
  return (): ((account: AccountId) => boolean) => {
    const operator = madeOperatorKey(vault, environment)
    const keys = [...madeChannelKeys(vault, environment), ...(operator === null ? [] : [operator])]
    for (const key of keys) if (!accounts.has(key)) accounts.set(key, vault.withSeed(key, localSigner).publicKey)
    const own = new Set(accounts.values())
    return (account) => own.has(account) || ownerOf(account)?.custody === 'service'
  }
}

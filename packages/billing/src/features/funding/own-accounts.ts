import type { AccountId, Environment } from '@quittance/domain'
import { localSigner } from '@quittance/ledger'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { madeChannelKeys, madeOperatorKey } from '../../stores/vault/vault-signer.ts'

const accountsOfKeys = new WeakMap<Vault, Map<string, AccountId>>()

/** The account of a key of the vault. To derive it costs a signature's time, and a flood of payments asks for each. */
const accountOf = (vault: Vault, key: string): AccountId => {
  const known = accountsOfKeys.get(vault) ?? new Map<string, AccountId>()
  accountsOfKeys.set(vault, known)
  const account = known.get(key) ?? vault.withSeed(key, localSigner).publicKey
  known.set(key, account)
  return account
}

/** The accounts of the service itself in an environment: its channels and its operator. */
export const ownAccounts = ({ vault }: Pick<Services, 'vault'>, environment: Environment): ReadonlySet<AccountId> => {
  const operator = madeOperatorKey(vault, environment)
  const keys = [...(operator === null ? [] : [operator]), ...madeChannelKeys(vault, environment)]
  return new Set(keys.map((key) => accountOf(vault, key)))
}

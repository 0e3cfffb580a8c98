import type { AccountId, Environment } from '@quittance/domain'
import { localSigner } from '@quittance/ledger'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

const accountsOfKeys = new WeakMap<Vault, Map<string, AccountId>>()

/** The account of a vault key. Deriving it takes as long as a signature, and each incoming payment asks for it. */
const accountOf = (vault: Vault, key: string): AccountId => {
  const accounts = accountsOfKeys.get(vault) ?? new Map<string, AccountId>()
  accountsOfKeys.set(vault, accounts)
  const account = accounts.get(key) ?? vault.withSeed(key, localSigner).publicKey
  accounts.set(key, account)
  return account
}

/** The service's own accounts in an environment: its channels and the accounts that charge mandates. */
export const ownAccounts = ({ vault }: Pick<Services, 'vault'>, environment: Environment): ReadonlySet<AccountId> => {
  const keys = [...madeOperatorKeys(vault, environment), ...madeChannelKeys(vault, environment)]
  return new Set(keys.map((key) => accountOf(vault, key)))
}

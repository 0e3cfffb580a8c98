import type { AccountId, Environment } from '@quittance/domain'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

/** The service's own accounts in an environment: its channels and the accounts that charge mandates. */
export const ownAccounts = ({ vault }: Pick<Services, 'vault'>, environment: Environment): ReadonlySet<AccountId> => {
  const keys = [...madeOperatorKeys(vault, environment), ...madeChannelKeys(vault, environment)]
  return new Set(keys.flatMap((key) => vault.publicKey(key) ?? []))
}

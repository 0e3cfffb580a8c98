import type { AccountId, Environment } from '@quittance/domain'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

/** The service's own accounts in an environment: its channels and the accounts that charge mandates. */
export const ownAccounts = async (
  { vault }: Pick<Services, 'vault'>,
  environment: Environment,
): Promise<ReadonlySet<AccountId>> => {
  const keys = [...(await madeOperatorKeys(vault, environment)), ...(await madeChannelKeys(vault, environment))]
  return new Set((await Promise.all(keys.map(async (key) => (await vault.publicKey(key)) ?? []))).flat())
}

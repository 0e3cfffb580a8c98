import type { AccountId, Environment } from '@quittance/domain'
import type { KeysOf } from '@quittance/ledger'
import { knownKeysOf } from '../../features/outgoing/rotations.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { madeChannelKeys, madeOperatorKeys } from '../../stores/vault/vault-signer.ts'

/** As `KeysOf`, where they have to be looked up. */
export type KeysLookUp = (account: AccountId) => Promise<ReturnType<KeysOf>>

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
  return async (): Promise<KeysLookUp> => {
    const operators = await filterInTurn(
      await madeOperatorKeys(vault, environment),
      async (key) => !(await left.has(key.split('/')[2] ?? '')),
    )
    const keys = [...(await madeChannelKeys(vault, environment)), ...operators]
    const own = new Set((await Promise.all(keys.map(async (key) => (await vault.publicKey(key)) ?? []))).flat())
    const known = new Map<AccountId, ReadonlyArray<AccountId>>()
    return async (account) => {
      if (!own.has(account) && (await ownerOf(account))?.custody !== 'service') return []
      const found = known.get(account) ?? (await knownKeysOf(services, environment, account))
      known.set(account, found)
      return found
    }
  }
}

import type { AccountId, UnixMs } from '@quittance/domain'
import { keyPairFromSeed } from '@quittance/ledger'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Vault } from './port.ts'

type ToProvision = { readonly at: UnixMs; readonly key: string; readonly account: AccountId; readonly actor: string }

/**
 * Has a network of trial set up the account of a key: such a network gets the secret, which is recorded as a use of the key.
 * Rejects with `SeedNotKept` where another signer holds the key: no such network is used then.
 */
export const provisioned = async <L>(
  vault: Pick<Vault, 'signings' | 'carriage'>,
  provision: (secret: string) => TaskEither<L, void>,
  { at, key, account, actor }: ToProvision,
): ReturnType<TaskEither<L, void>> => {
  await vault.signings.add({ at, key, account, purpose: 'provision', digest: null, actor })
  const { secret } = await vault.carriage.withSeed(key, keyPairFromSeed)
  return provision(secret)()
}

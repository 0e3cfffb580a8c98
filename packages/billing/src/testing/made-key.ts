import type { AccountId } from '@quittance/domain'
import type { Vault } from '../stores/vault/port.ts'
import { present } from './outcomes.ts'

/** The public key of a signing key that a test needs at once: a vault makes it before it answers. */
export const madeKey = (vault: Pick<Vault, 'createKey' | 'publicKey'>, key: string): AccountId => {
  void vault.createKey(key)()
  return present(vault.publicKey(key))
}

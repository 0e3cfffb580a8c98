import type { AccountId } from '@quittance/domain'
import type { Vault } from '../stores/vault/port.ts'
import { done } from './outcomes.ts'

/** The public key of a signing key, which is made. */
export const madeKey = (vault: Pick<Vault, 'createKey'>, key: string): Promise<AccountId> => done(vault.createKey(key))

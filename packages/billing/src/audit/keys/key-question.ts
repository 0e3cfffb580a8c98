import type { VaultKeys } from '../../stores/vault/read-vault.ts'
import type { Finding } from '../log-check.ts'

/** What one event asks of the keys: null where they are as they must be. */
export type KeyQuestion = (keys: VaultKeys) => Promise<Finding | null>

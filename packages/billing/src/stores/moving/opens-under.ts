import { createSecretKey } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { decrypt } from '../vault/cipher.ts'
import type { KeptTable } from './kept-rows.ts'

/** Whether a master key opens every key of a vault. The row of an erased key is empty. */
export const opensUnder = (masterKeyBytes: Uint8Array, vault: ReadonlyArray<KeptTable>): boolean => {
  const masterKey = createSecretKey(masterKeyBytes)
  const rows = vault.find(({ name }) => name === 'vault')?.rows ?? []
  return rows.every(({ name, wrapped }) => {
    if (!(wrapped instanceof Uint8Array)) return false
    if (wrapped.length === 0) return true
    return E.isRight(
      E.tryCatch(
        () => decrypt(masterKey, String(name), wrapped).fill(0),
        () => null,
      ),
    )
  })
}

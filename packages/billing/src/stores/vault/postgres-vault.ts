import { rowsOf, type Sql } from '@quittance/event-store'
import type { Signer } from '../signing/signer.ts'
import type { ErasedSubjects } from './erased-subjects.ts'
import type { Vault } from './port.ts'
import { openVault, vaultOver } from './vault.ts'

/**
 * A vault in a schema of PostgreSQL; otherwise as `sqliteVault`. The master key is not in the database, so a dump that holds
 * log and vault opens nothing alone. No query finds a destroyed key again. VACUUM, which the server repeats where it fails, frees
 * its place for other keys to overwrite; until then the wrapped bytes may stay in the table's file. They also stay in dumps and
 * archives of the write-ahead log that were made before: these have to expire, or the vault has to get another master key and the
 * copies of the old one have to be destroyed.
 */
export const postgresVault = async (
  sql: Sql,
  masterKeyBytes: Uint8Array,
  mayBegin: boolean,
  erased: ErasedSubjects,
  elsewhere: Signer | null = null,
): Promise<Vault> => {
  const scrub = async (): Promise<void> => {
    await sql.run(rowsOf('VACUUM vault')).catch(() => undefined)
  }
  const opened = await sql.run(openVault(sql.dialect, masterKeyBytes, mayBegin, erased))
  erased.add(opened.unlisted)
  if (opened.hasRevived) await scrub()
  return vaultOver(sql, opened, erased, elsewhere, scrub)
}

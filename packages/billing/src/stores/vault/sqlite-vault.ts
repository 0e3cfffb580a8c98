import type { SqlDatabase } from '@quittance/event-store'
import { runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import type { Signer } from '../signing/signer.ts'
import { type ErasedSubjects, erasedInMemory } from './erased-subjects.ts'
import type { Vault } from './port.ts'
import { openVault, vaultOver } from './vault.ts'

/**
 * A vault in a file of its own, so that a copy of the log never carries a key. The master key wraps every row, bound to its
 * name; a wrong one throws `WrongMasterKey` here, at start-up. Keys are read at each use, so that a key that one process
 * erased is gone for all. `mayBegin`: whether no earlier vault has sealed or hashed anything. Otherwise an empty vault is
 * the wrong one, and throws `VaultMissing`. An older copy may have keys that are listed as erased: they are destroyed here.
 * `elsewhere` makes and holds all keys from now on; the seeds that are here already go on to sign. Without it, the vault does.
 */
export const sqliteVault = (
  database: SqlDatabase,
  masterKeyBytes: Uint8Array,
  mayBegin: boolean,
  erased: ErasedSubjects = erasedInMemory(),
  elsewhere: Signer | null = null,
): Vault => {
  const sql = sqlitePrograms(database)
  database.execute('PRAGMA secure_delete = ON')
  // The write-ahead log keeps earlier pages, so a key is gone only once that log is emptied: here, after a crash.
  const emptyLog = () => database.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  emptyLog()
  const opened = runNow(database, openVault(sql.dialect, masterKeyBytes, mayBegin, erased))
  erased.add(opened.unlisted)
  if (opened.hasRevived) emptyLog()
  return vaultOver(sql, opened, erased, elsewhere, async () => emptyLog())
}

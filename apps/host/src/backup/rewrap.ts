import { existsSync } from 'node:fs'
import { type RewrapFailure, rewrapPostgresVault, rewrapVault } from '@quittance/billing'
import { isLocked, openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { DataDir } from '../data-dir.ts'

export type RewrapRefusal = RewrapFailure | { readonly _tag: 'RestoreInterrupted' }

/**
 * As `rewrapDataDir`, for a vault in PostgreSQL. Errors: `VaultInUse` while any process of ours is connected to the database; rejects
 * with the database's failure.
 */
export const rewrapDatabase = async (
  connectionString: string,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): Promise<E.Either<RewrapFailure, number>> => {
  const { postgresPrograms } = await import('@quittance/event-store/postgres')
  const sql = await postgresPrograms({ connectionString, connections: 1 })
  try {
    return await rewrapPostgresVault(sql, oldMasterKey, newMasterKey)
  } finally {
    await sql.close()
  }
}

/** Wraps the keys of a data directory's vault with another master key. No other process may have the vault open. */
export const rewrapDataDir = (
  { vault, restoring }: DataDir,
  oldMasterKey: Uint8Array,
  newMasterKey: Uint8Array,
): E.Either<RewrapRefusal, number> => {
  if (existsSync(restoring)) return E.left({ _tag: 'RestoreInterrupted' })
  if (!existsSync(vault)) return E.left({ _tag: 'VaultEmpty' })
  try {
    const database = openDatabase(vault, { durability: 'full', secureDelete: true })
    try {
      return rewrapVault(database, oldMasterKey, newMasterKey)
    } finally {
      database.close()
    }
  } catch (cause) {
    // Another process rewraps it.
    if (isLocked(cause)) return E.left({ _tag: 'VaultInUse' })
    throw cause
  }
}

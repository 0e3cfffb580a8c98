import { missingKeys, sqliteVault } from '@quittance/billing'
import { openDatabase, sqliteEventStore, verify } from '@quittance/event-store/sqlite'
import type { DataDir } from '../data-dir.ts'
import type { Manifest } from './manifest.ts'

export type Unproven =
  | { readonly _tag: 'LogAltered'; readonly problem: string }
  | { readonly _tag: 'WrongMasterKey' }
  /** Keys of these merchants and customers are not in the vault. */
  | { readonly _tag: 'KeysMissing'; readonly streams: ReadonlyArray<string> }

export type Proof = { readonly events: number | null; readonly log: Manifest['log'] }

/**
 * Proves copied files: every hash and chain of the log, that the vault opens under the master key, and that it has all
 * keys that the log needs. A log on a server is not read.
 */
export const prove = async (
  { events, vault: vaultPath }: Pick<DataDir, 'events' | 'vault'>,
  isLogThere: boolean,
  masterKey: Uint8Array,
): Promise<Unproven | Proof> => {
  const verified = isLogThere ? await verify(events) : null
  if (verified !== null && (!verified.ok || verified.head === null))
    return { _tag: 'LogAltered', problem: verified.problems.map(({ problem }) => problem).join('; ') }
  const database = openDatabase(vaultPath, { durability: 'full', secureDelete: true })
  try {
    const vault = sqliteVault(database, masterKey, false)
    if (verified === null) return { events: null, log: null }
    const log = sqliteEventStore({ path: events, clock: Date.now, projections: [], readOnly: true })
    try {
      const streams = await missingKeys(log, vault)
      return streams.length > 0 ? { _tag: 'KeysMissing', streams } : { events: verified.events, log: verified.head }
    } finally {
      log.close()
    }
  } catch (cause) {
    const isWrong = cause instanceof Error && ['WrongMasterKey', 'VaultMissing'].includes(cause.name)
    if (isWrong) return { _tag: 'WrongMasterKey' }
    throw cause
  } finally {
    database.close()
  }
}

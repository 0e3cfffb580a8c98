import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { peekVault, readMarkFile } from '@quittance/billing'
import type { SqlDatabase } from '@quittance/event-store'
import { isStoreFailure, openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import type { Config } from './config.ts'
import type { DataDir } from './data-dir.ts'
import type { ConfigProblem } from './settings.ts'

type Deployed = Pick<Config, 'databaseUrl' | 'eventStore' | 'networks' | 'isSandboxRequested'>

/**
 * The problems of a data directory that would open, and then serve the wrong thing: its log is lost, or its live
 * merchants' network is not configured. Makes nothing.
 */
export const unfitFor = async (
  { databaseUrl, eventStore, networks, isSandboxRequested }: Deployed,
  files: DataDir,
): Promise<ReadonlyArray<ConfigProblem>> => {
  const vault = await peek(files.vault, (sql) => peekVault(sqlitePrograms(sql)))
  if (vault?.hasLiveMerchants === true && networks.mainnet.rpcUrls.length === 0 && !isSandboxRequested) {
    const expected = `set, since the data directory (QUITTANCE_DATA_DIR) holds live merchants; QUITTANCE_SANDBOX=1 serves its sandbox without them`
    return [{ variable: 'QUITTANCE_MAINNET_RPC_URLS', expected }]
  }
  if (databaseUrl !== null || eventStore !== null || sizeOf(files.readModels) > 0 || (await hasEvents(files.events)))
    return []
  const marks = [vault?.mark, readMarkFile(files.logMark)].flatMap((mark) => (mark ? [BigInt(mark.position)] : []))
  const [last] = marks.sort((one, other) => Number(other - one))
  if (last === undefined) return []
  const lost = `${basename(files.events)} is missing or empty, although event ${last} was written to it`
  const expected = `a directory with its log: ${lost}. Copy it from a backup (docs/backup.md), or restore the whole backup: quittance restore <directory> --force`
  return [{ variable: 'QUITTANCE_DATA_DIR', expected }]
}

const sizeOf = (path: string): number => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.size ?? 0
}

/** Also true of a file that cannot be read: its problem is named when it is opened. */
const hasEvents = async (path: string): Promise<boolean> => {
  if (sizeOf(path) === 0) return false
  const found = await peek(path, async (sql) => {
    const [table] = sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").all()
    return table !== undefined && sql.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined
  })
  return found !== false
}

/** What an existing database holds; null if it cannot be read now. */
const peek = async <A>(path: string, look: (sql: SqlDatabase) => Promise<A>): Promise<A | null> => {
  if (sizeOf(path) === 0) return null
  try {
    const database = openDatabase(path, { durability: 'full', readOnly: true })
    try {
      return await look(database)
    } finally {
      database.close()
    }
  } catch (cause) {
    if (isStoreFailure(cause)) return null
    throw cause
  }
}

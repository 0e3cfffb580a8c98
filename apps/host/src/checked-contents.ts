import { existsSync } from 'node:fs'
import { checkContents, type LogToCheck, type VaultToCheck } from '@quittance/billing'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import type { DataDir } from './data-dir.ts'

/** Where a vault is: in the database, or where that is null in its file. `masterKey`: null where the settings do not say it. */
export type VaultToRead = {
  readonly files: Pick<DataDir, 'vault'>
  readonly databaseUrl: string | null
  readonly masterKey: Uint8Array | null
}

/**
 * Checks what the events of a log say, with the vault beside it. Rejects where either cannot be read. `onEvent` hears how many
 * events were read.
 */
export const checkedContents = async (
  log: LogToCheck,
  place: VaultToRead,
  onEvent: (events: number) => void,
): ReturnType<typeof checkContents> => {
  const opened = await openVault(place)
  try {
    return await checkContents(log, opened?.vault ?? null, onEvent)
  } finally {
    await opened?.close()
  }
}

type Opened = { readonly vault: VaultToCheck; readonly close: () => void | Promise<void> }

const openVault = async ({ files, databaseUrl, masterKey }: VaultToRead): Promise<Opened | null> => {
  if (databaseUrl === null) {
    if (!existsSync(files.vault)) return null
    const database = openDatabase(files.vault, { durability: 'full', readOnly: true })
    return { vault: { sql: sqlitePrograms(database), masterKey }, close: () => database.close() }
  }
  // Loaded only here: no other vault needs the driver.
  const { postgresPrograms } = await import('@quittance/event-store/postgres')
  const sql = await postgresPrograms({ connectionString: databaseUrl, connections: 1 })
  return { vault: { sql, masterKey }, close: sql.close }
}

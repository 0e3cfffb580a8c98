import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dumpDatabaseOf, restoreDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import { openDatabase } from '@quittance/event-store/sqlite'
import { done } from './outcomes.ts'
import { filesIn, openPlatform, temporaryFolder } from './platform.ts'
import { type StoreFront, shopOn } from './store-front.ts'
import { isInDatabase } from './stores.ts'

const dumpIn = (folder: string): string => join(folder, 'dump.sql')

/** Copies a running platform's files, as a person would with `VACUUM INTO`; the vault with them. A database is dumped. */
export const backUp = ({ folder }: Pick<StoreFront, 'folder'>) => {
  const kept = temporaryFolder()
  const [from, to] = [filesIn(folder.path), filesIn(kept.path)]
  for (const file of ['events', 'readModels', 'vault', 'server'] as const) {
    if (!existsSync(from[file])) continue
    const database = openDatabase(from[file], { durability: 'relaxedLosesCommitsOnPowerLoss' })
    database.execute(`VACUUM INTO '${to[file]}'`)
    database.close()
  }
  if (isInDatabase()) dumpDatabaseOf(folder.path, dumpIn(kept.path))
  return kept
}
export type Backup = ReturnType<typeof backUp>

/**
 * Stops the platform, puts the copy in its place, and starts again. The network goes on as it was. The mark beside the log,
 * which shows that it went back, stays with the list of erased customers, or is lost with everything else. `wrapped` stands before the store.
 */
export const restore = async (
  front: StoreFront,
  backup: Backup,
  mark: 'kept' | 'lost',
  wrapped?: Parameters<typeof openPlatform>[2],
): Promise<StoreFront> => {
  await front.platform.close()
  await front.network.stopEventStore()
  for (const [name, path] of Object.entries(filesIn(front.folder.path)))
    if (!['logMark', 'erased'].includes(name) || mark === 'lost')
      for (const rest of ['', '-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
  cpSync(backup.path, front.folder.path, { recursive: true })
  if (isInDatabase()) restoreDatabaseOf(front.folder.path, dumpIn(backup.path))
  return reopened(front, backup, wrapped)
}

/** Starts again on the same files. */
export const reopened = async (
  front: StoreFront,
  backup: Backup,
  wrapped?: Parameters<typeof openPlatform>[2],
): Promise<StoreFront> => {
  const platform = await openPlatform(front.network, front.folder.path, wrapped)
  const { network, folder, wallets, payer, other, merchantId } = front
  const step = (): Promise<void> => done(platform.worker.step)
  return {
    ...(await shopOn({ network, folder, platform, wallets, payer, other, step }, merchantId)),
    close: async () => {
      await platform.close()
      await network.close()
      folder.remove()
      backup.remove()
    },
  }
}

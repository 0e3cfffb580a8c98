import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { unixMs } from '@quittance/domain'
import { eventStoreOver, openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { checkpointsFile, type KeptCheckpoints } from '../../../stores/kept-checkpoints.ts'
import { latestCheckpoint, latestCheckpointTable } from '../../../stores/latest-checkpoint.ts'
import { logTree, openTreeTables } from '../../../stores/log-tree/log-tree.ts'
import { sqliteVault } from '../../../stores/vault/sqlite-vault.ts'
import { countedWrites } from '../../../testing/counted-writes.ts'
import { done } from '../../../testing/outcomes.ts'
import type { CheckpointServices } from '../sign-checkpoint.ts'

const masterKey = new Uint8Array(32).fill(7)
const atMs = 1_793_491_200_000

const counted = (kept: KeptCheckpoints, before: () => void): KeptCheckpoints => ({
  ...kept,
  add: (note) => {
    before()
    kept.add(note)
  },
})

/**
 * A log with its vault, its tree and its checkpoints in a folder, and nothing else of a platform, so that a process opens it
 * at once. `before` is called before each statement that writes, each commit, and each line of the file of checkpoints, once it
 * is open.
 */
export const openLoneLog = (folder: string, before: () => void = () => undefined) => {
  let isOpen = false
  const count = (): void => {
    if (isOpen) before()
  }
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const [file, vaultFile] = ['quittance.db', 'vault.db'].map((name) =>
    countedWrites(openDatabase(join(folder, name), { durability }), count),
  )
  if (file === undefined || vaultFile === undefined) throw new Error('there are two files')
  let now = atMs
  const store = eventStoreOver(file, { clock: () => now++, projections: [] })
  const sql = sqlitePrograms(file)
  runNow(file, openTreeTables(sql.dialect))
  file.execute(latestCheckpointTable)
  const vault = sqliteVault(vaultFile, masterKey, true)
  const kept = checkpointsFile(join(folder, 'log-mark.json'))
  const services: CheckpointServices = {
    store,
    vault,
    clock: { now: () => unixMs(atMs) },
    freshId: randomUUID,
    publicUrl: () => 'http://log.example',
    logStanding: { check: async () => E.right({ _tag: 'Sound' }) },
    logTree: logTree(sql),
    latestCheckpoint: latestCheckpoint(sql),
    keptCheckpoints: counted(kept, count),
  }
  isOpen = true
  return {
    services,
    file,
    kept,
    /** Appends so many events to one stream. */
    grow: async (events: number): Promise<void> => {
      const { head } = await done(store.readStream('sale-one'))
      const added = Array.from({ length: events }, () => ({
        id: randomUUID(),
        type: 'Sold',
        schemaVersion: 1,
        data: {},
        context: {
          merchantId: 'mer_one',
          environment: 'testnet' as const,
          commandId: randomUUID(),
          correlationId: randomUUID(),
          causationId: null,
          actor: 'a test',
          occurredAt: atMs,
        },
      }))
      await done(store.append('sale-one', head, added))
    },
    close: (): void => {
      store.close()
      vaultFile.close()
    },
  }
}

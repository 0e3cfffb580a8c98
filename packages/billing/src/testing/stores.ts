import { join } from 'node:path'
import type { EventStore } from '@quittance/event-store'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import { openDatabase, sqliteEventStore, verify } from '@quittance/event-store/sqlite'
import { createProjector, inlineProjections } from '@quittance/projections'
import { embedded } from '../face/composition/embedded.ts'
import { remoteLog } from '../face/composition/remote-log.ts'
import type { Services } from '../services/services.ts'
import { erasedSubjectsFile } from '../stores/vault/erased-subjects.ts'
import { sqliteVault } from '../stores/vault/sqlite-vault.ts'
import type { TestNetwork } from './network.ts'
import { done, present } from './outcomes.ts'

/**
 * Where a test's events are: in the file that the read models are in, in a file of their own, or on a server that
 * speaks EventStoreDB's protocol. The environment variable QUITTANCE_TEST_STORE chooses for all suites but those that
 * are about the one file by their nature: they say so where they ask for `embedded`.
 */
export type TestStore = 'embedded' | 'remote log' | 'peer'

const named: Readonly<Record<string, TestStore>> = { embedded: 'embedded', 'remote log': 'remote log', peer: 'peer' }
export const chosenStore: TestStore = present(named[process.env.QUITTANCE_TEST_STORE ?? 'embedded'])

export const masterKey = new Uint8Array(32).fill(7)

export const filesIn = (folder: string) => ({
  events: join(folder, 'quittance.db'),
  readModels: join(folder, 'read-models.db'),
  vault: join(folder, 'vault.db'),
  logMark: join(folder, 'log-mark.json'),
  erased: join(folder, 'erased.txt'),
  /** The events of a server. */
  server: join(folder, 'server.db'),
})
type Files = ReturnType<typeof filesIn>

// Test machines do not lose power.
const durability = 'relaxedLosesCommitsOnPowerLoss'

type Opened = { readonly services: Services; readonly close: () => Promise<void> }

export const openServices = async (
  network: TestNetwork,
  files: Files,
  kind: TestStore,
  reading: (log: EventStore) => EventStore,
): Promise<Opened> => {
  const clock = { now: network.now }
  const vaultDatabase = openDatabase(files.vault, { durability, secureDelete: true })
  const vault = sqliteVault(vaultDatabase, masterKey, true, erasedSubjectsFile(files.erased), network.signer)
  const networks = { testnet: network.seen(), mainnet: null }
  const publicUrl = () => 'http://pay.test'
  const { omnibusAccounts, screening } = network
  const mailers = { testnet: network.mailer, mainnet: null }
  if (kind === 'embedded') {
    const path = files.events
    const store = sqliteEventStore({ path, clock: clock.now, projections: inlineProjections, durability })
    return {
      services: embedded(store, vault, clock, networks, publicUrl, omnibusAccounts, files.logMark, screening, mailers),
      close: async () => {
        store.close()
        vaultDatabase.close()
      },
    }
  }
  const log =
    kind === 'remote log'
      ? sqliteEventStore({ path: files.events, clock: clock.now, projections: [], durability })
      : eventStoreDb({ connectionString: await network.eventStore(files.server), clock: clock.now, deadlineMs: 10_000 })
  const rows = openDatabase(files.readModels, { durability })
  const durable = openDatabase(files.readModels, { durability })
  const projector = createProjector(reading(log), rows, inlineProjections)
  await done(projector.begin)
  return {
    services: remoteLog(
      { log, projector, rows, claims: durable },
      vault,
      clock,
      networks,
      publicUrl,
      omnibusAccounts,
      files.logMark,
      screening,
      mailers,
    ),
    close: async () => {
      await projector.close()
      await log.close()
      for (const database of [rows, durable, vaultDatabase]) database.close()
    },
  }
}

/** Whether a log is unchanged. A server's log has no file to prove it: its chains are checked on reading. */
export const provenLog = async (folder: string, kind: TestStore = chosenStore): Promise<unknown> =>
  kind === 'peer' ? { ok: true, problems: [] } : verify(filesIn(folder).events)

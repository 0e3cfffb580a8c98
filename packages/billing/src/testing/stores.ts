import { join } from 'node:path'
import type { EventStore } from '@quittance/event-store'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import {
  postgresEventStore,
  postgresPrograms,
  postgresReader,
  verify as verifyPostgres,
} from '@quittance/event-store/postgres'
import { databaseOf } from '@quittance/event-store/postgres/testing/databases'
import { openDatabase, sqliteEventStore, verify } from '@quittance/event-store/sqlite'
import { createProjector, inlineProjections } from '@quittance/projections'
import { postgresProjections, postgresProjector, postgresReading } from '@quittance/projections/postgres'
import { embedded } from '../face/composition/embedded.ts'
import { inDatabase, openSharedTables } from '../face/composition/in-database.ts'
import { remoteLog } from '../face/composition/remote-log.ts'
import { remoteLogAndDatabase } from '../face/composition/remote-log-and-database.ts'
import type { Services } from '../services/services.ts'
import { erasedSubjectsFile } from '../stores/vault/erased-subjects.ts'
import { postgresVault } from '../stores/vault/postgres-vault.ts'
import { sqliteVault } from '../stores/vault/sqlite-vault.ts'
import type { TestNetwork } from './network.ts'
import { done, present } from './outcomes.ts'

/**
 * Where a test's events are: in the file that the read models are in, in a file of their own, on a server that speaks
 * EventStoreDB's protocol, with everything else in a database of PostgreSQL, or on such a server beside such a database. The
 * environment variable QUITTANCE_TEST_STORE chooses for all suites but those that are about the one file by their nature: they say
 * so where they ask for `embedded`.
 */
export type TestStore = 'embedded' | 'remote log' | 'peer' | 'postgres' | 'peer and postgres'

const named: Readonly<Record<string, TestStore>> = {
  embedded: 'embedded',
  'remote log': 'remote log',
  peer: 'peer',
  postgres: 'postgres',
  'peer and postgres': 'peer and postgres',
}
/** Asked for when a test opens a store: suites of one worker may choose others. */
export const chosenStore = (): TestStore => present(named[process.env.QUITTANCE_TEST_STORE ?? 'embedded'])

/** Whether read models, vault and all that is in no log are in a database of PostgreSQL, and not in files. */
export const isInDatabase = (): boolean => chosenStore() === 'postgres' || chosenStore() === 'peer and postgres'

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

// Test machines do not lose power.
const durability = 'relaxedLosesCommitsOnPowerLoss'

const longestWaitMs = 60_000

type Opened = { readonly services: Services; readonly close: () => Promise<void> }

/** Few connections, since a suite opens many platforms. */
const openTablesOf = async (connectionString: string) => {
  const sql = await postgresPrograms({ connectionString, connections: 3 })
  const reader = postgresReader({ connectionString, readers: 2 })
  await openSharedTables(sql)
  return {
    tables: { sql, reading: postgresReading(reader) },
    close: async () => {
      await sql.close()
      await reader.close()
    },
  }
}

export const openServices = async (
  network: TestNetwork,
  folder: string,
  kind: TestStore,
  reading: (log: EventStore) => EventStore,
): Promise<Opened> => {
  const files = filesIn(folder)
  const clock = { now: network.now }
  const networks = { testnet: network.seen(), mainnet: null }
  const publicUrl = () => 'http://pay.test'
  const { omnibusAccounts, screening } = network
  const mailers = { testnet: network.mailer, mainnet: null }
  const erased = erasedSubjectsFile(files.erased)
  const deployment = { clock, networks, publicUrl, omnibusAccounts, markFile: files.logMark, screening, mailers }
  const server = async () =>
    eventStoreDb({ connectionString: await network.eventStore(files.server), clock: clock.now, deadlineMs: 10_000 })
  if (kind === 'postgres' || kind === 'peer and postgres') {
    const connectionString = await databaseOf(folder)
    const { tables, close } = await openTablesOf(connectionString)
    const vault = await postgresVault(tables.sql, masterKey, true, erased, network.signer)
    const process = { ...deployment, vault }
    if (kind === 'postgres') {
      const log = await postgresEventStore({
        connectionString,
        clock: clock.now,
        projections: postgresProjections,
        readers: 2,
      })
      return {
        services: inDatabase({ ...tables, log }, process),
        close: async () => {
          await log.close()
          await close()
        },
      }
    }
    const log = await server()
    const projector = await postgresProjector(reading(log), { connectionString })
    await done(projector.begin)
    // A service waits for half a second. Here a read never comes before what was written, however busy the machine is.
    const patient = {
      reached: (position: bigint) => projector.reached(position, longestWaitMs),
      catchUp: projector.catchUp,
    }
    return {
      services: remoteLogAndDatabase({ ...tables, log, projector: patient }, process),
      close: async () => {
        await projector.close()
        await log.close()
        await close()
      },
    }
  }
  const vaultDatabase = openDatabase(files.vault, { durability, secureDelete: true })
  const vault = sqliteVault(vaultDatabase, masterKey, true, erased, network.signer)
  if (kind === 'embedded') {
    const path = files.events
    const store = sqliteEventStore({ path, clock: clock.now, projections: inlineProjections, durability })
    return {
      services: embedded(store, { ...deployment, vault }),
      close: async () => {
        store.close()
        vaultDatabase.close()
      },
    }
  }
  const log =
    kind === 'remote log'
      ? sqliteEventStore({ path: files.events, clock: clock.now, projections: [], durability })
      : await server()
  const rows = openDatabase(files.readModels, { durability })
  const durable = openDatabase(files.readModels, { durability })
  const projector = createProjector(reading(log), rows, inlineProjections)
  await done(projector.begin)
  return {
    services: remoteLog({ log, projector, rows, claims: durable }, { ...deployment, vault }),
    close: async () => {
      await projector.close()
      await log.close()
      for (const database of [rows, durable, vaultDatabase]) database.close()
    },
  }
}

/** Whether a log is unchanged. A peer's log has no file to prove it: its chains are checked on reading. */
export const provenLog = async (folder: string, kind: TestStore = chosenStore()): Promise<unknown> => {
  switch (kind) {
    case 'embedded':
    case 'remote log':
      return verify(filesIn(folder).events)
    case 'peer':
    case 'peer and postgres':
      return { ok: true, problems: [] }
    case 'postgres':
      return verifyPostgres({ connectionString: await databaseOf(folder) })
  }
}

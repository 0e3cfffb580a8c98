import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventStore } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { createBilling } from '../billing.ts'
import { embedded } from '../composition/embedded.ts'
import { createWorker } from '../processes/worker.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import type { TestNetwork } from './network.ts'
import { present } from './outcomes.ts'

export const masterKey = new Uint8Array(32).fill(7)

export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'quittance-billing-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const filesIn = (folder: string) => ({ events: join(folder, 'quittance.db'), vault: join(folder, 'vault.db') })

/** The platform as one process has it: objects of its own over files that others may have open too. */
export const openPlatform = (
  network: TestNetwork,
  folder: string,
  wrapped: (store: EventStore) => EventStore = (store) => store,
) => {
  const files = filesIn(folder)
  const clock = { now: network.now }
  // A test's machine does not lose its power.
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const store = sqliteEventStore({ path: files.events, clock: clock.now, projections: inlineProjections, durability })
  const vaultDatabase = openDatabase(files.vault, { durability, secureDelete: true })
  const networks = { testnet: network.seen(), mainnet: null }
  const whole = embedded(store, sqliteVault(vaultDatabase, masterKey), clock, networks, () => 'http://pay.test')
  const services = { ...whole, store: wrapped(store) }
  const alarms: Array<unknown> = []
  return {
    services,
    billing: createBilling(services),
    worker: present(createWorker(services, 'testnet', (halted) => alarms.push(halted))),
    log: store,
    alarms,
    close: () => {
      store.close()
      vaultDatabase.close()
    },
  }
}

export type TestPlatform = ReturnType<typeof openPlatform>

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventStore } from '@quittance/event-store'
import { removeDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import type { ReadModels } from '@quittance/projections'
import { createBilling } from '../face/billing.ts'
import { createWorker } from '../worker/worker.ts'
import type { TestNetwork } from './network.ts'
import { done, present } from './outcomes.ts'
import { chosenStore, openServices, type TestStore } from './stores.ts'

export { filesIn } from './stores.ts'

export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'quittance-billing-'))
  const remove = (): void => {
    void removeDatabaseOf(path)
    rmSync(path, { recursive: true, force: true })
  }
  return { path, remove }
}

/** The end of a log: how many events, and the hash of the last. */
const endOf = async (log: EventStore) => {
  let [events, hash] = [0, '']
  for await (const { metadata } of log.readAll(0n)) [events, hash] = [events + 1, metadata.hash]
  return { events, hash }
}

/**
 * The platform as one process has it: objects of its own over files, or a server, that others may have open too.
 * `wrapped` stands before the store, `reading` before the log that a projector reads.
 */
export const openPlatform = async (
  network: TestNetwork,
  folder: string,
  wrapped: (store: EventStore) => EventStore = (store) => store,
  kind: TestStore = chosenStore(),
  reading: (log: EventStore) => EventStore = (log) => log,
) => {
  const { services: whole, close } = await openServices(network, folder, kind, reading)
  const services = { ...whole, store: wrapped(whole.store) }
  await services.logStanding.check()
  const alarms: Array<unknown> = []
  return {
    services,
    billing: createBilling(services),
    worker: present(createWorker(services, 'testnet', (halted) => alarms.push(halted))),
    log: whole.store,
    logEnd: () => endOf(whole.store),
    /** The read models, caught up with every process. */
    shown: async (): Promise<ReadModels> => {
      await done(services.caughtUp.withLog)
      return services.readModels
    },
    alarms,
    close,
  }
}

export type TestPlatform = Awaited<ReturnType<typeof openPlatform>>

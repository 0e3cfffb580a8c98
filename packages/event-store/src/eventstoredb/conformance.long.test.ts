import type { Capabilities, StoreUnderTest } from '../conformance/adapter.ts'
import { isolated } from '../conformance/isolated.ts'
import { type Peer, startPeer } from '../testing/peer/peer.ts'
import { reportEventStore } from '../testing/reported-suite.ts'
import { eventStoreDb } from './store.ts'
import { killedAppend } from './testing/killed-append.ts'

/** Long enough that a well-behaved server never causes an unknown outcome, however slow the machine. */
const deadlineMs = 25_000

const open = (connectionString: string, batchAppend = false) =>
  eventStoreDb({ connectionString, clock: Date.now, deadlineMs, batchAppend })

/** The same server through another client, as in another process. */
const byAnotherClient = (connectionString: string): string =>
  `${connectionString}${connectionString.includes('?') ? '&' : '?'}connectionName=another`

const subject = async (connectionString: string, peer: Peer | null, batchAppend = false): Promise<StoreUnderTest> => {
  const opened = open(connectionString, batchAppend)
  const other = open(byAnotherClient(connectionString))
  const { store, nameOf, within } = await isolated(opened)
  return {
    store,
    another: () => within(other),
    ...(peer === null ? {} : { killedAppend: killedAppend(peer, nameOf) }),
    dispose: async () => {
      await Promise.all([opened.close(), other.close()])
    },
  }
}

/** Disk and file belong to the server. */
const cannot: ReadonlyArray<keyof Capabilities> = ['fillDisk', 'tamper', 'findProblems', 'logHead']

let started: Peer | null = null
const peer = async (): Promise<Peer> => {
  started ??= await startPeer({ path: ':memory:', port: 0 })
  return started
}
afterAll(async () => {
  await started?.stop()
})

const onPeer = async (batchAppend: boolean): Promise<StoreUnderTest> => {
  const served = await peer()
  return subject(served.connectionString, served, batchAppend)
}

reportEventStore('EventStoreDB', () => onPeer(false), cannot)
reportEventStore('EventStoreDB in batches', () => onPeer(true), cannot)

const live = process.env.QUITTANCE_TEST_EVENTSTORE
if (live !== undefined) {
  reportEventStore('EventStoreDB live', () => subject(live, null), [...cannot, 'killedAppend'])
}

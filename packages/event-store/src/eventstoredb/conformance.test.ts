import type { Capabilities, StoreUnderTest } from '../conformance/adapter.ts'
import { isolated } from '../conformance/isolated.ts'
import { describeEventStore } from '../conformance/suite.ts'
import { type Peer, startPeer } from '../testing/peer/peer.ts'
import { eventStoreDb } from './store.ts'
import { killedAppend } from './testing/killed-append.ts'

/** Long enough that no answer of a server that means well is ever unknown, on however slow a machine. */
const deadlineMs = 25_000

const open = (connectionString: string, batchAppend = false) =>
  eventStoreDb({ connectionString, clock: Date.now, deadlineMs, batchAppend })

/** The same server by another client, as another process has it. */
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

/** Both are the server's: its disk, and its file. */
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

describeEventStore('EventStoreDB', () => onPeer(false), cannot)
describeEventStore('EventStoreDB in batches', () => onPeer(true), cannot)

const live = process.env.QUITTANCE_TEST_EVENTSTORE
if (live !== undefined) {
  describeEventStore('EventStoreDB live', () => subject(live, null), [...cannot, 'killedAppend'])
}

import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { appendAt } from '../../conformance/sample.ts'
import { noEvents } from '../../port.ts'
import { type Peer, type PeerOptions, startPeer } from '../../testing/peer/peer.ts'
import { within } from '../deadline.ts'
import { type EventStoreDb, type EventStoreDbOptions, eventStoreDb } from '../store.ts'

/** What a test has opened; all of it is closed by `clear`, clients first. */
export type Stage = {
  readonly peer: (options?: Partial<PeerOptions>) => Promise<Peer>
  readonly store: (peer: Peer, options?: Partial<EventStoreDbOptions>) => EventStoreDb
  /** The client without our adapter. Each has a name of its own, and so a connection of its own. */
  readonly bare: (peer: Peer, settings?: string) => EventStoreDBClient
  readonly clear: () => Promise<void>
}

export const shortDeadlineMs = 250

export const stage = (): Stage => {
  const clients: (() => Promise<void>)[] = []
  const peers: Peer[] = []
  return {
    peer: async (options) => {
      const peer = await startPeer({ path: ':memory:', port: 0, ...options })
      peers.push(peer)
      return peer
    },
    store: ({ connectionString }, options) => {
      const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000, ...options })
      clients.push(store.close)
      return store
    },
    bare: ({ connectionString }, settings = '') => {
      const client = EventStoreDBClient.connectionString(`${connectionString}${settings}`)
      // A client whose batch stream was ended by its server is never done with disposing of it.
      clients.push(() => within(client.dispose(), shortDeadlineMs).catch(() => undefined))
      return client
    },
    clear: async () => {
      for (const peer of peers) peer.misbehave({ _tag: 'none' })
      await Promise.all(clients.splice(0).map((close) => close()))
      await Promise.all(peers.splice(0).map((peer) => peer.stop()))
    },
  }
}

/** An event as somebody else writes one. */
export const foreignEvent = () => jsonEvent({ type: 'Foreign', data: { foreign: true } })

/** Writes events `a`, `b` and `c`, each by itself. */
export const writeThree = async (store: EventStoreDb, stream = 'sample-1'): Promise<void> => {
  const first = await appendAt(store, stream, noEvents, ['a'])
  const second = await appendAt(store, stream, first, ['b'])
  await appendAt(store, stream, second, ['c'])
}

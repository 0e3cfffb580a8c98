import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { appendAt } from '../../conformance/sample.ts'
import { noEvents } from '../../port.ts'
import { type Peer, type PeerOptions, startPeer } from '../../testing/peer/peer.ts'
import { within } from '../deadline.ts'
import { type EventStoreDb, type EventStoreDbOptions, eventStoreDb } from '../store.ts'

/** Everything a test opens; `clear` closes it, clients first. */
export type Stage = {
  readonly peer: (options?: Partial<PeerOptions>) => Promise<Peer>
  readonly store: (peer: Peer, options?: Partial<EventStoreDbOptions>) => EventStoreDb
  /** The client without our adapter. Each has its own name, and so its own connection. */
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
      // Disposing of a client whose batch stream the server ended never finishes.
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

/** An event of another application. */
export const foreignEvent = () => jsonEvent({ type: 'Foreign', data: { foreign: true } })

/** Writes events `a`, `b` and `c` in separate appends. */
export const writeThree = async (store: EventStoreDb, stream = 'sample-1'): Promise<void> => {
  const first = await appendAt(store, stream, noEvents, ['a'])
  const second = await appendAt(store, stream, first, ['b'])
  await appendAt(store, stream, second, ['c'])
}

import { type Peer, startPeer } from '@quittance/event-store/testing/peer'

/**
 * Where services of a test keep their events: in their data directory or, with QUITTANCE_TEST_STORE=peer, on a server
 * with EventStoreDB's protocol for each directory, which outlives the services.
 */
export const isOnServer = process.env.QUITTANCE_TEST_STORE === 'peer'
const peers = new Map<string, Promise<Peer>>()

/** The settings for the event store of a data directory. */
export const eventStoreOf = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  if (!isOnServer) return {}
  const peer = peers.get(dataDir) ?? startPeer({ path: ':memory:', port: 0 })
  peers.set(dataDir, peer)
  return { QUITTANCE_EVENT_STORE: (await peer).connectionString }
}

/** Stops the server of a data directory. */
export const removeEventStoreOf = (dataDir: string): void => {
  void peers.get(dataDir)?.then((peer) => peer.stop())
  peers.delete(dataDir)
}

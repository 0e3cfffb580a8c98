import { type Peer, startPeer } from '@quittance/event-store/testing/peer'

/**
 * Where the services of a test keep their events: in their data directory or, with QUITTANCE_TEST_STORE=peer, on a
 * server that speaks EventStoreDB's protocol, one for each directory, which outlives the services on it.
 */
export const isOnServer = process.env.QUITTANCE_TEST_STORE === 'peer'
const peers = new Map<string, Promise<Peer>>()

/** The settings by which a service, or an operator, on this data directory finds its events. */
export const eventStoreOf = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  if (!isOnServer) return {}
  const peer = peers.get(dataDir) ?? startPeer({ path: ':memory:', port: 0 })
  peers.set(dataDir, peer)
  return { QUITTANCE_EVENT_STORE: (await peer).connectionString }
}

/** Ends the server of a data directory that is no longer needed. */
export const removeEventStoreOf = (dataDir: string): void => {
  void peers.get(dataDir)?.then((peer) => peer.stop())
  peers.delete(dataDir)
}

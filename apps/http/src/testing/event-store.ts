import { databaseOf, removeDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'

/**
 * Where services of a test keep their events: in their data directory or, with QUITTANCE_TEST_STORE, on a server that
 * outlives them. With `peer` it speaks EventStoreDB's protocol, one for each directory; with `postgres` each directory has a
 * database, with everything else in it; with `peer and postgres` it has both, and the database holds everything but the events.
 */
const store = process.env.QUITTANCE_TEST_STORE
const isBesidePeer = store === 'peer' || store === 'peer and postgres'
/** Whether the events are in the database too. */
export const isLogInDatabase = store === 'postgres'
export const isInDatabase = isLogInDatabase || store === 'peer and postgres'
export const isOnServer = isBesidePeer || isInDatabase
const peers = new Map<string, Promise<Peer>>()

/** The settings for the event store of a data directory. */
export const eventStoreOf = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  const database = isInDatabase ? { QUITTANCE_DATABASE_URL: await databaseOf(dataDir) } : {}
  if (!isBesidePeer) return database
  const peer = peers.get(dataDir) ?? startPeer({ path: ':memory:', port: 0 })
  peers.set(dataDir, peer)
  return { ...database, QUITTANCE_EVENT_STORE: (await peer).connectionString }
}

/** Removes what a data directory has outside itself. */
export const removeEventStoreOf = (dataDir: string): void => {
  if (isInDatabase) void removeDatabaseOf(dataDir)
  void peers.get(dataDir)?.then((peer) => peer.stop())
  peers.delete(dataDir)
}

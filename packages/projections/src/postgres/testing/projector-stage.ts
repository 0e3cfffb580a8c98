import { right } from '@quittance/domain/testing/outcomes'
import type { EventStore } from '@quittance/event-store'
import { eventStoreDb } from '@quittance/event-store/eventstoredb'
import { type PostgresProjection, postgresReader } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase } from '@quittance/event-store/sqlite'
import { startPeer } from '@quittance/event-store/testing/peer'
import * as E from 'fp-ts/lib/Either.js'
import { createProjector, type Projector } from '../../feed/projector.ts'
import { inlineProjections } from '../../read-models.ts'
import { openLog } from '../../testing/log.ts'
import { allRows } from '../../testing/tables.ts'
import { postgresProjector } from '../projector.ts'
import { everyEvent } from './copied.ts'
import { noting } from './noting.ts'
import { rowsOfEachModel } from './rows.ts'

/** Longer than any test waits for events to be applied. */
export const longMs = 60_000
export const caughtUp = E.right(undefined)
export const something = { type: 'Changed', schemaVersion: 1, data: {} }
export const several = (count: number) => Array.from({ length: count }, () => something)

export const idsIn = async (store: EventStore): Promise<ReadonlyArray<string>> =>
  (await everyEvent(store)).map(({ id }) => id)
export const endOf = async (store: EventStore): Promise<bigint> => (await everyEvent(store)).at(-1)?.position ?? 0n

/** What SQLite makes of the same log. */
export const rowsOnSqlite = async (log: EventStore) => {
  const database = openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const projector = createProjector(log, database, inlineProjections)
  right(await projector.catchUp())
  const rows = allRows(database)
  database.close()
  return rows
}

/** A server of PostgreSQL for the suite, and a schema for each test, which closes what it opened. */
export const projectorStage = () => {
  let cluster: Cluster
  let schema: string
  let closers: Array<() => unknown>
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())
  beforeEach(() => {
    schema = cluster.newSchema()
    closers = []
  })
  afterEach(close)

  const openProjector = async (
    log: EventStore,
    projections: ReadonlyArray<PostgresProjection> = [noting()],
    into = schema,
  ): Promise<Projector> => {
    const { connectionString } = cluster
    const timeouts = { statement: 2_000, lock: 1_000, idleInTransaction: 1_000 }
    const projector = await postgresProjector(log, { connectionString, schema: into, timeouts }, projections)
    closers.push(projector.close)
    return projector
  }
  const openSqliteLog = () => {
    const log = openLog([])
    closers.push(() => log.store.close())
    return log
  }
  /** A log on a server that speaks EventStoreDB's protocol, and a second client of it. */
  const openPeerLog = async () => {
    const peer = await startPeer({ path: ':memory:', port: 0 })
    closers.push(peer.stop)
    const open = () => {
      const store = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: longMs })
      closers.push(store.close)
      return store
    }
    return { connectionString: peer.connectionString, store: open(), other: open() }
  }
  return {
    cluster: () => cluster,
    schema: () => schema,
    /** Closes what the test has opened so far. */
    close,
    closedLater: (each: () => unknown) => void closers.push(each),
    openProjector,
    openSqliteLog,
    openPeerLog,
    /** The events that `noting` was given, in their order. */
    noted: async (version = 1, from = schema): Promise<ReadonlyArray<string>> =>
      (await cluster.sql(`SELECT event FROM ${from}.noted_${version} ORDER BY place`)).map(({ event }) =>
        String(event),
      ),
    rowsIn: async (from = schema) => {
      const reader = postgresReader({ connectionString: cluster.connectionString, schema: from })
      try {
        return await rowsOfEachModel(reader)
      } finally {
        await reader.close()
      }
    },
  }
}

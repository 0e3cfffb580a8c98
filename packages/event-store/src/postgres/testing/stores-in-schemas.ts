import type { PostgresProjection } from '../projection.ts'
import { type PostgresEventStore, postgresEventStore } from '../store.ts'
import { type Cluster, startCluster } from './cluster.ts'

/** What a suite works with, once its server runs. */
export type SchemaSuite = {
  readonly cluster: Cluster
  /** Empty, and another one for each test. */
  readonly schema: string
  /** A store in that schema, which the end of the test closes. */
  readonly open: (...projections: ReadonlyArray<PostgresProjection>) => Promise<PostgresEventStore>
  /** The ids of the events in a table, by position. */
  readonly idsIn: (table: string) => Promise<ReadonlyArray<unknown>>
}

/** Gives a suite a server of its own. */
export const storesInSchemas = (): SchemaSuite => {
  let cluster: Cluster
  let schema: string
  const opened: PostgresEventStore[] = []
  beforeAll(async () => {
    cluster = await startCluster()
  })
  beforeEach(() => {
    schema = cluster.newSchema()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
  })
  afterAll(() => cluster.remove())
  return {
    get cluster() {
      return cluster
    },
    get schema() {
      return schema
    },
    open: async (...projections) => {
      const { connectionString } = cluster
      const store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections })
      opened.push(store)
      return store
    },
    idsIn: async (table) =>
      (await cluster.sql(`SELECT id FROM ${schema}.${table} ORDER BY position`)).map(({ id }) => id),
  }
}

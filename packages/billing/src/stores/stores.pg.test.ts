import { postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { onDatabase } from './testing/store-database.ts'

// The suites of the stores, once more on PostgreSQL: each database that they open is a schema of its own.
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

onDatabase(async () => {
  const within = { connectionString: cluster.connectionString, schema: cluster.newSchema() }
  const [sql, another] = await Promise.all([postgresPrograms(within), postgresPrograms(within)])
  return {
    sql,
    another,
    close: async () => {
      await sql.close()
      await another.close()
    },
  }
})

await import('./every-store.test.ts')
await import('./key-use.test.ts')
await import('./relays.test.ts')
await import('./setbacks/setbacks.test.ts')
await import('./two-clocks.test.ts')

import { postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { describeHalts } from './testing/halting-platforms.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

describeHalts('one PostgreSQL', () => ({
  settings: { QUITTANCE_DATABASE_URL: cluster.connectionString },
  run: async (_, program) => {
    const sql = await postgresPrograms({ connectionString: cluster.connectionString })
    await sql.run(program)
    await sql.close()
  },
}))

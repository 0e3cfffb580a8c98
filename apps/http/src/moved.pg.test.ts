import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { movingPlatform, type Place } from './testing/moving-platform.ts'

describe('a platform that moves into PostgreSQL, and back', () => {
  const platform = movingPlatform()
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(async () => {
    await platform.remove()
    await cluster.remove()
  })

  it('a moved platform keeps access, lists, idempotent answers, customers and open checkouts, and notices the next payment', () => {
    const url = cluster.connectionString
    const database: Omit<Place, 'name'> = {
      address: url,
      settings: { QUITTANCE_DATABASE_URL: url },
      beside: 'in_place',
    }
    return platform.sellsIn([
      { name: 'postgres', ...database },
      { name: 'sqlite', address: null, settings: {}, beside: 'in_place' },
      { name: 'postgres-again', ...database },
    ])
  })
})

import { secondMs } from '@quittance/domain'
import { openPostgresSchema, postgresEventStore, postgresPrograms } from '@quittance/event-store/postgres'
import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'
import { databaseOf, startDatabases, stopDatabases } from '@quittance/event-store/postgres/testing/databases'
import { postgresProjections } from '@quittance/projections/postgres'
import { openSharedTables } from '../../face/composition/in-database.ts'
import { roles } from '../../stores/roles.ts'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'

let cluster: Cluster
beforeAll(async () => {
  process.env.QUITTANCE_TEST_STORE = 'postgres'
  cluster = await startDatabases(async (connectionString) => {
    const log = await postgresEventStore({ connectionString, clock: Date.now, projections: postgresProjections })
    await log.close()
    const sql = await postgresPrograms({ connectionString })
    await openSharedTables(sql)
    await sql.close()
  })
})
afterAll(async () => {
  Reflect.deleteProperty(process.env, 'QUITTANCE_TEST_STORE')
  await stopDatabases()
})

const sharedRoles = ({ services }: DeliveryStage) => roles(services.toDo.sql, 'this one')
const names = ['one', 'two', 'three']

describe('deliverers of several processes on PostgreSQL', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  it('share the work without disturbing one another, send nothing twice, and keep the order of each resource', async () => {
    const shop = await stage.endpointWith()
    const processes = await Promise.all(names.map((name) => stage.openProcess({}, name)))
    const deliverers = processes.map(({ deliverer }) => deliverer)
    const defects: Array<unknown> = []
    const stop = new AbortController()
    const before = cluster.disturbed()
    const running = deliverers.map((each) => each.run(stop.signal, (defect) => defects.push(defect)))
    const products = await Promise.all(Array.from({ length: 100 }, () => stage.makeProduct()))
    for (const name of ['A', 'B', 'C', 'D']) await Promise.all(products.map((id) => stage.renameProduct(id, name)))
    await stage.until(() => shop.received.length >= 500)
    stop.abort()
    await Promise.all(running)
    const sequences = Map.groupBy(shop.received, ({ resourceId }) => resourceId)
    expect([...sequences.values()].map((each) => each.map(({ sequence }) => sequence))).toEqual(
      products.map(() => [1, 2, 3, 4, 5]),
    )
    expect({ defects, disturbed: cluster.disturbed() - before }).toEqual({ defects: [], disturbed: 0 })
  })

  it('do not wait for one that is stopped while it works on an endpoint, but serve the others', async () => {
    const [held, free] = [await stage.endpointWith(() => 500), await stage.endpointWith(() => 500)]
    const id = await stage.makeProduct()
    await stage.deliverer.settle()
    for (const { known } of [held, free]) known.respond = () => 200
    stage.network.wait(5 * secondMs)
    const [isHeld, wake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const connectionString = await databaseOf(stage.folder.path)
    const stopped = await openPostgresSchema({ connectionString, subject: 'stopped', connections: 1 })
    const holding = stopped.transaction('full', async (sql) => {
      await sql.query('SELECT 1 FROM webhook_endpoints WHERE webhook_id = $1 FOR UPDATE', [held.id])
      isHeld.resolve()
      await wake.promise
    })
    await isHeld.promise
    // Another one finds the work, so this one has only to send what is due.
    const { deliverer } = await stage.openProcess({ roles: { ...sharedRoles(stage), take: async () => null } })
    const [stop, defects]: [AbortController, Array<unknown>] = [new AbortController(), []]
    const running = deliverer.run(stop.signal, (defect) => defects.push(defect))
    await stage.until(() => free.received.length === 2)
    expect(held.received).toHaveLength(1)
    wake.resolve()
    await holding
    await stage.until(() => held.received.length === 2)
    stop.abort()
    await running
    await stopped.close()
    expect(defects).toEqual([])
    for (const { received } of [held, free]) expect(received.map((each) => each.resourceId)).toEqual([id, id])
  })
})

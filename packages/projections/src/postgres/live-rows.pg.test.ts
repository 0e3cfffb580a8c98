import { postgresEventStore, postgresReader } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase } from '@quittance/event-store/sqlite'
import { foldApart } from '../rebuild/fold-apart.ts'
import { modelNames } from '../rebuild/rebuild.ts'
import { writeEverything } from '../testing/every-row.ts'
import { postgresLiveRows } from './live-rows.ts'
import { postgresProjections } from './projections.ts'
import { appendTo, everyEvent, onSqlite } from './testing/copied.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

it('a log that is folded in a file has the rows that PostgreSQL serves, and each that differs is named', async () => {
  const within = { connectionString: cluster.connectionString, schema: cluster.newSchema() }
  const store = await postgresEventStore({ ...within, clock: () => 0, projections: postgresProjections })
  const before = await onSqlite(writeEverything)
  before.store.close()
  await appendTo(store, before.events)
  const events = await everyEvent(store)
  await store.close()
  const scratch = openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const fold = foldApart(scratch)
  fold.apply(events)
  const reader = postgresReader(within)
  const compared = () => fold.compareWithRows(postgresLiveRows(reader))
  const equal = await compared()
  expect(equal.map(({ model }) => model)).toEqual(modelNames)
  expect(equal.flatMap(({ differences }) => differences)).toEqual([])
  expect(equal.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(modelNames.length)
  const { schema } = within
  const [{ name }] = (await cluster.sql(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'merchants\\_%'`,
    [schema],
  )) as readonly [{ readonly name: string }]
  await cluster.sql(`UPDATE ${schema}.${name} SET revision = 900 WHERE id = (SELECT min(id) FROM ${schema}.${name})`)
  await cluster.sql(`INSERT INTO ${schema}.${name} (id, merchant_id, environment, revision, body)
    VALUES ('zzz', 'mer_1', 'testnet', 0, '{}')`)
  const differing = (await compared()).filter((model) => model.differing > 0)
  expect(differing).toMatchObject([
    { model: 'merchants', differing: 2, differences: [{ live: { revision: 900 } }, { id: 'zzz', rebuilt: null }] },
  ])
  scratch.close()
  await reader.close()
})

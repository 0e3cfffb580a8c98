import { unixMs } from '@quittance/domain'
import { openPostgresSchema, postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { outbox } from './mail/outbox.ts'
import { openTables } from './tables.ts'
import { onDatabase } from './testing/store-database.ts'
import { openVaultTables } from './vault/vault.ts'

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

it('processes take mails without disturbing one another', async () => {
  const at = { connectionString: cluster.connectionString, schema: cluster.newSchema() }
  const processes = await Promise.all(Array.from({ length: 3 }, () => postgresPrograms(at)))
  const [first] = processes
  if (first === undefined) throw new Error('there are three')
  await first.run(openTables(first.dialect))
  const soon = unixMs(10)
  const mail = (n: number) => ({ environment: 'testnet' as const, kind: 'entry_code' as const, about: `code ${n}` })
  await Promise.all(Array.from({ length: 500 }, (_, n) => outbox(first).add(mail(n), unixMs(0), unixMs(1_000))))
  const before = cluster.disturbed()
  const taken = await Promise.all(
    processes.map(async (sql) => {
      const { take, done } = outbox(sql)
      const own: Array<string> = []
      for (;;) {
        const mails = await take('testnet', 5, 100, soon)
        await Promise.all(mails.map(({ id }) => done(id)))
        own.push(...mails.map(({ about }) => about))
        if (mails.length === 0) return own
      }
    }),
  )
  expect(taken.flat().toSorted()).toEqual(Array.from({ length: 500 }, (_, n) => `code ${n}`).toSorted())
  expect(cluster.disturbed() - before).toBe(0)
  await Promise.all(processes.map(({ close }) => close()))
})

it('opening tables that are all there waits for nobody', async () => {
  const at = { connectionString: cluster.connectionString, schema: cluster.newSchema(), timeouts: { lock: 100 } }
  const sql = await postgresPrograms(at)
  const openAll = async () => {
    for (const tables of [openTables, openVaultTables]) await sql.run(tables(sql.dialect))
  }
  await openAll()
  const stopped = await openPostgresSchema({ ...at, subject: 'stopped', connections: 1 })
  await stopped.transaction('full', async ({ execute }) => {
    await execute(`LOCK TABLE webhook_deliveries, vault IN ROW EXCLUSIVE MODE; ${sql.dialect.openingLock}`)
    await openAll()
  })
  await stopped.close()
  await sql.close()
})

await import('./every-store.test.ts')
await import('./key-use.test.ts')
await import('./relays.test.ts')
await import('./setbacks/setbacks.test.ts')
await import('./two-clocks.test.ts')

import { changesOf } from '../sql-program.ts'
import { postgresPrograms } from './programs.ts'
import { openPostgresSchema } from './shared-schema.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { probePostgres } from './write-probe.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

const open = (schema: string) =>
  postgresPrograms({ connectionString: cluster.connectionString, schema, timeouts: { lock: 100 } })

it('processes that probe at once all find a database that can be written, and leave nothing in it', async () => {
  const schema = cluster.newSchema()
  const processes = await Promise.all([open(schema), open(schema), open(schema)])
  const before = cluster.disturbed()
  const found = await Promise.all([...processes, ...processes].map(probePostgres))
  expect([found, cluster.disturbed() - before]).toEqual([Array(6).fill('ok'), 0])
  expect(await cluster.sql(`SELECT * FROM ${schema}.write_probe`)).toEqual([])
  for (const { close } of processes) await close()
})

it('a database that only reads, is locked or is gone says so, and recovers', async () => {
  const schema = cluster.newSchema()
  const sql = await open(schema)
  expect(await probePostgres(sql)).toBe('ok')

  await cluster.sql('ALTER DATABASE postgres SET default_transaction_read_only = on')
  const reading = await open(schema)
  expect(await probePostgres(reading)).toBe('read_only')
  await reading.close()
  await cluster.sql(
    'SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only',
  )

  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const locking = holdLock(schema, lock, unlocked)
  await locked
  expect(await probePostgres(sql)).toBe('locked')
  unlock()
  await locking
  expect(await probePostgres(sql)).toBe('ok')

  await cluster.crash()
  expect(await probePostgres(sql)).toBe('failing')
  await cluster.start()
  expect(await probePostgres(sql)).toBe('ok')
  await sql.close()
})

it('a session that the server has ended says nothing of the database', async () => {
  const sql = await open(cluster.newSchema())
  expect(await probePostgres(sql)).toBe('ok')
  await cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quittance'")
  expect(await probePostgres(sql)).toBe('ok')
  await sql.close()
})

it('a table that is not ours is a defect, and no trouble of the server', async () => {
  const sql = await open(cluster.newSchema())
  await sql.run(changesOf('CREATE TABLE write_probe (name text)'))
  await expect(probePostgres(sql)).rejects.toMatchObject({ name: 'PostgresError' })
  await sql.close()
})

const holdLock = async (schema: string, begun: () => void, until: Promise<void>): Promise<void> => {
  const at = { connectionString: cluster.connectionString, schema, subject: 'lock', connections: 1 }
  const own = await openPostgresSchema(at)
  await own.transaction('full', async ({ execute }) => {
    await execute('LOCK TABLE write_probe')
    begun()
    await until
  })
  await own.close()
}

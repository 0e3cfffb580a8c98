import { type PostgresReader, postgresEventStore, postgresReader } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import type { CompiledQuery } from 'kysely'
import { postgres } from '../dialect.ts'
import { compiledMandateQueries, mandates } from '../mandates.ts'
import { type PageQuery, pageQuery } from '../pages.ts'
import { payments } from '../payments.ts'
import { publicEventTable } from '../public-events/public-event-row.ts'
import { feedQueries } from '../public-events/public-events.ts'
import { tableQueries } from '../table.ts'
import { tableName } from '../table-rows.ts'
import { postgresProjections } from './projections.ts'

let cluster: Cluster
let reader: PostgresReader
const tables = [payments, mandates, publicEventTable].map(tableName)
beforeAll(async () => {
  cluster = await startCluster()
  const { connectionString } = cluster
  const at = { connectionString, schema: cluster.newSchema() }
  const store = await postgresEventStore({ ...at, clock: () => 0, projections: postgresProjections })
  await store.close()
  reader = postgresReader({ ...at, readers: 1 })
  // Ids in the order of their rows, which makes an index of them cheap.
  for (const table of tables) {
    await reader.query(`
      INSERT INTO ${table} (id, merchant_id, environment, listed_under, status, lookup_key, due_at, revision, body)
      SELECT '01' || lpad(n::text, 8, '0'), 'mer_' || n % 3, 'testnet', 'cus_' || n % 500, 'status_' || n % 6,
        'key_' || n % 2000, CASE WHEN n % 10 = 0 THEN n END, 0, repeat('x', 600)
      FROM generate_series(1, 20000) AS n`)
    await reader.query(`ANALYZE ${table}`)
  }
  await reader.query('SET plan_cache_mode = force_generic_plan')
})
afterAll(async () => {
  await reader.close()
  await cluster.remove()
})

/** How the server reads, whatever the parameters are. */
const planOf = async ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<string> => {
  await reader.query(`PREPARE planned AS ${sql}`)
  const { rows } = await reader.query(`EXPLAIN EXECUTE planned (${parameters.map(() => 'NULL').join(', ')})`)
  await reader.query('DEALLOCATE planned')
  return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
}

const pages = [0, 1, 2, 3].flatMap((filters) =>
  [null, 'start'].flatMap((start) =>
    [true, false].map(
      (isBackward): PageQuery => ({
        listedUnder: filters & 1 ? 'cus_1' : null,
        status: filters & 2 ? 'status_1' : null,
        lookupKey: null,
        start,
        isBackward,
      }),
    ),
  ),
)
const table = tableName(payments)
const rows = tableQueries(postgres, table)
const feed = feedQueries(postgres)
const ofMandates = compiledMandateQueries(postgres)

describe('a list on PostgreSQL', () => {
  it.each([
    ...pages.map((page) => ['page', JSON.stringify(page), pageQuery(postgres, table, page)] as const),
    ['table', 'due', rows.dueFrom],
    ['table', 'next due', rows.nextDue],
    ['table', 'count of due', rows.countDue],
    ['table', 'of a status', rows.statusFrom],
    ['table', 'with an id', rows.withId],
    ['feed', 'with an id', feed.withId],
    ['feed', 'of all merchants', feed.next],
    ['feed', 'of a merchant', feed.all],
    ['feed', 'of a type', feed.byType],
    ['feed', 'of a resource', feed.byResource],
    ['mandates', 'next key', ofMandates.nextKey],
  ] as const)('is read in its order from an index, and no row that it leaves out: %s, %s', async (_, __, query) => {
    const plan = await planOf(query)
    expect(plan).toContain('Index Cond')
    expect(plan).not.toMatch(/Filter|Sort|Seq Scan/)
  })

  it('of living mandates is read in its order from the index of their keys', async () => {
    const plan = await planOf(ofMandates.page)
    expect(plan).toContain(`${tableName(mandates)}_key`)
    expect(plan).toMatch(/Index Cond: \(\(lookup_key = .*id > /)
    expect(plan).not.toContain('Sort')
  })

  it('with a look-up key is read from the index of keys', async () => {
    const page = { listedUnder: null, status: null, lookupKey: 'key_1', start: 'start', isBackward: false }
    for (const query of [pageQuery(postgres, table, page), rows.withKey])
      expect(await planOf(query)).toContain(`${table}_key`)
  })
})

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type EventStore, type Head, noEvents } from '@quittance/event-store'
import { type PostgresEventStore, postgresEventStore } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase } from '@quittance/event-store/sqlite'
import { postgresProjections } from '@quittance/projections/postgres'
import { openRenewalShop } from './renewal-shop.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const monthMs = 31 * 86_400_000
const price = 100_000_000n
const mostLedgers = 1_000
/** Events that are copied at once. */
const atOnce = 400

/** What a database holds: the log, and everything else, in bytes with indexes. */
type Sizes = { readonly events: number; readonly rest: number; readonly count: number }

const sizesOfSqlite = (path: string): Sizes => {
  const database = openDatabase(path, { durability: 'full' })
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  const bytesOf = (where: string): number =>
    Number(database.prepare(`SELECT coalesce(sum(pgsize), 0) AS bytes FROM dbstat WHERE ${where}`).get()?.bytes)
  const ofLog = `name = 'events' OR name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'events')`
  const count = Number(database.prepare('SELECT count(*) AS count FROM events').get()?.count)
  const sizes = { events: bytesOf(ofLog), rest: bytesOf(`NOT (${ofLog})`), count }
  database.close()
  return sizes
}

const sizesOfPostgres = async ({ sql }: Cluster, schema: string): Promise<Sizes> => {
  await sql(`VACUUM ANALYZE`)
  const [row] = await sql(
    `SELECT (SELECT count(*) FROM ${schema}.events) AS count,
       sum(pg_total_relation_size(c.oid)) FILTER (WHERE relname = 'events') AS events,
       sum(pg_total_relation_size(c.oid)) FILTER (WHERE relname <> 'events') AS rest
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`,
    [schema],
  )
  return { events: Number(row?.events), rest: Number(row?.rest), count: Number(row?.count) }
}

/** All of a database's file. */
const fileBytes = (path: string): number => {
  const database = openDatabase(path, { durability: 'full' })
  const pages = database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
  const bytes = Number(pages.get()?.bytes)
  database.close()
  return bytes
}

/** How many bytes the server has written to its write-ahead log. */
const walOf = async ({ sql }: Cluster): Promise<number> => {
  const [row] = await sql(`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`)
  return Number(row?.bytes)
}

/** Copies the events after a position; answers the last one's. Each stream's events keep their order. */
const copyAfter = async (
  from: EventStore,
  to: PostgresEventStore,
  heads: Map<string, Head>,
  after: bigint,
): Promise<bigint> => {
  let last = after
  let waiting: Array<Promise<void>> = []
  const ends = new Map<string, Promise<void>>()
  for await (const { stream, position, id, type, schemaVersion, data, metadata } of from.readAll(after)) {
    const append = async (): Promise<void> => {
      const appended = await to.append(stream, heads.get(stream) ?? noEvents, [
        { id, type, schemaVersion, data, context: metadata },
      ])()
      if (appended._tag === 'Left') throw new Error(appended.left._tag)
      heads.set(stream, appended.right.head)
    }
    const appended = (ends.get(stream) ?? Promise.resolve()).then(append)
    ends.set(stream, appended)
    waiting.push(appended)
    last = position
    if (waiting.length < atOnce) continue
    await Promise.all(waiting)
    waiting = []
    ends.clear()
  }
  await Promise.all(waiting)
  return last
}

const each = (name: string, before: Sizes, after: Sizes, due: number): Report => ({
  [`${name}: events`]: (after.count - before.count) / due,
  [`${name}: bytes of events`]: Math.round((after.events - before.events) / due),
  [`${name}: bytes of all else`]: Math.round((after.rest - before.rest) / due),
})

const nothing: Sizes = { events: 0, rest: 0, count: 0 }

/**
 * What a subscriber and each renewal add to the log and to the rest of the database, on SQLite and on PostgreSQL, where the
 * same events are appended with all read models. `--due` subscriptions renew together, twice.
 */
export const renewalBytes: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { values } = parseArgs({
      args: [...flags],
      options: { due: { type: 'string', default: '1000' } },
      strict: false,
    })
    const due = Number(values.due)
    const cluster = await startCluster(['shared_buffers = 256MB', 'max_wal_size = 4GB'])
    const schema = cluster.newSchema()
    const shop = await openRenewalShop(folder, due, 0, 20, () => undefined)
    const copy = await postgresEventStore({
      ...{ connectionString: cluster.connectionString, schema },
      ...{ clock: Date.now, projections: postgresProjections },
    })
    const heads = new Map<string, Head>()
    let copied = 0n
    const measured = async () => {
      const before = await walOf(cluster)
      copied = await copyAfter(shop.log, copy, heads, copied)
      const wal = (await walOf(cluster)) - before
      return { wal, sqlite: sizesOfSqlite(join(folder, 'log')), postgres: await sizesOfPostgres(cluster, schema) }
    }
    const renewed = async (collected: bigint): Promise<void> => {
      for (let ledger = 0; ledger < mostLedgers && (await shop.held()) < collected; ledger += 1) {
        await shop.step()
        shop.closeLedger()
      }
      await shop.step()
      if ((await shop.held()) !== collected) throw new Error('not every subscription was charged once')
    }
    try {
      const enrolled = await measured()
      const vault = fileBytes(join(folder, 'vault'))
      shop.endTrials()
      await renewed(price * BigInt(due))
      const once = await measured()
      shop.closeLedger(monthMs)
      await renewed(2n * price * BigInt(due))
      const twice = await measured()
      return {
        'a subscriber: bytes of the vault': Math.round(vault / due),
        ...each('SQLite, a subscriber', nothing, enrolled.sqlite, due),
        ...each('SQLite, the first renewal', enrolled.sqlite, once.sqlite, due),
        ...each('SQLite, the second renewal', once.sqlite, twice.sqlite, due),
        ...each('PostgreSQL, a subscriber', nothing, enrolled.postgres, due),
        ...each('PostgreSQL, the first renewal', enrolled.postgres, once.postgres, due),
        ...each('PostgreSQL, the second renewal', once.postgres, twice.postgres, due),
        'PostgreSQL, the second renewal: bytes of WAL': Math.round(twice.wal / due),
      }
    } finally {
      shop.close()
      await copy.close()
      await cluster.remove()
    }
  })

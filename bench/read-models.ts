import { join } from 'node:path'
import { type EventStore, noEvents } from '@quittance/event-store'
import { type PostgresProjection, postgresEventStore, postgresReader } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections, payments, readModels, sqliteReading, table } from '@quittance/projections'
import {
  postgresProjection,
  postgresProjections,
  postgresReading,
  postgresRebuild,
  postgresRowWriter,
} from '@quittance/projections/postgres'
import { type Benchmark, median } from './report.ts'
import { saleOf } from './sales.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 3
const callers = 32
const sales = 600

/** Sales, each of two appends with nine events together, prepared before the clock starts. */
const planned = Array.from({ length: sales }, (_, n) => saleOf(n))
const appends = planned.flat().length
const events = planned.flat().flatMap((append) => append.events).length

/** Appends all sales by several callers; returns appends per second. */
const appendAll = async (store: EventStore): Promise<number> => {
  const left = [...planned]
  const call = async (): Promise<void> => {
    for (let sale = left.pop(); sale !== undefined; sale = left.pop())
      for (const { stream, events: fresh } of sale) {
        const appended = await store.append(stream, noEvents, fresh)()
        if (appended._tag === 'Left') throw new Error(appended.left._tag)
      }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: callers }, call))
  return (appends * 1_000) / (performance.now() - startedAt)
}

const requireAll = (found: number): void => {
  if (found !== sales) throw new Error(`${found} of ${sales} payments have a row`)
}

/** Appends with all read models, and events per second through all of them when a log without them opens. */
type Figures = { readonly appended: number; readonly caughtUp: number }

const onSqlite = async (folder: string, round: number): Promise<Figures> => {
  const open = (name: string, projections = inlineProjections) =>
    sqliteEventStore({ path: join(folder, `${name}-${round}`), clock: Date.now, projections })
  const inline = open('inline')
  const appended = await appendAll(inline)
  requireAll((await readModels(sqliteReading(inline.reader)).payments.all()).length)
  inline.close()
  const without = open('later', [])
  await appendAll(without)
  without.close()
  const startedAt = performance.now()
  open('later').close()
  return { appended, caughtUp: (events * 1_000) / (performance.now() - startedAt) }
}

/** Also appends without a read model and with one, and the events per second of a rebuild of all. */
const onPostgres = async ({
  connectionString,
  newSchema,
}: Cluster): Promise<Figures & { readonly alone: number; readonly withOne: number; readonly rebuilt: number }> => {
  const open = (schema: string, projections: ReadonlyArray<PostgresProjection>) =>
    postgresEventStore({ connectionString, schema, clock: Date.now, projections })
  const measured = async (schema: string, projections: ReadonlyArray<PostgresProjection>): Promise<number> => {
    const store = await open(schema, projections)
    const appended = await appendAll(store)
    await store.close()
    return appended
  }
  const [inline, one, later] = [newSchema(), newSchema(), newSchema()]
  const appended = await measured(inline, postgresProjections)
  const withOne = await measured(one, [postgresProjection(postgresRowWriter(payments))])
  const alone = await measured(later, [])
  const startedAt = performance.now()
  await (await open(later, postgresProjections)).close()
  const caughtUp = (events * 1_000) / (performance.now() - startedAt)
  const rebuiltFrom = performance.now()
  const everything = { models: null, compareOnly: false, onProgress: () => undefined }
  const found = await postgresRebuild({ connectionString, schema: later, ...everything })()
  if (found._tag === 'Left') throw new Error(found.left._tag)
  if (found.right.some(({ differing }) => differing > 0)) throw new Error('rows differ from their log')
  const rebuilt = (events * 1_000) / (performance.now() - rebuiltFrom)
  const [reader, readerOfOne] = [inline, one].map((schema) => postgresReader({ connectionString, schema }))
  if (reader === undefined || readerOfOne === undefined) throw new Error('two readers were opened')
  requireAll((await readModels(postgresReading(reader)).payments.all()).length)
  requireAll((await table(postgresReading(readerOfOne), payments).all()).length)
  await Promise.all([reader.close(), readerOfOne.close()])
  return { appended, caughtUp, alone, withOne, rebuilt }
}

/**
 * Durable appends per second with all read models, and events per second through all of them while a log catches up, on
 * PostgreSQL beside SQLite. Starts a server of its own. Rounds alternate; a figure is the median.
 */
export const readModelsOnBoth: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const cluster = await startCluster(['shared_buffers = 128MB', 'max_wal_size = 4GB'])
    try {
      const pairs: { readonly sqlite: Figures; readonly postgres: Awaited<ReturnType<typeof onPostgres>> }[] = []
      for (let round = 0; round < rounds; round += 1)
        pairs.push({ sqlite: await onSqlite(folder, round), postgres: await onPostgres(cluster) })
      const of = (figure: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(figure))
      return {
        'appends per second, all read models, SQLite': of(({ sqlite }) => sqlite.appended),
        'appends per second, all read models, PostgreSQL': of(({ postgres }) => postgres.appended),
        'appends per second, payments only, PostgreSQL': of(({ postgres }) => postgres.withOne),
        'appends per second, no read model, PostgreSQL': of(({ postgres }) => postgres.alone),
        'appends, PostgreSQL in percent of SQLite': of((each) => (100 * each.postgres.appended) / each.sqlite.appended),
        'events caught up per second, SQLite': of(({ sqlite }) => sqlite.caughtUp),
        'events caught up per second, PostgreSQL': of(({ postgres }) => postgres.caughtUp),
        'events rebuilt per second, PostgreSQL': of(({ postgres }) => postgres.rebuilt),
        'catching up, PostgreSQL in percent of SQLite': of(
          (each) => (100 * each.postgres.caughtUp) / each.sqlite.caughtUp,
        ),
      }
    } finally {
      await cluster.remove()
    }
  })

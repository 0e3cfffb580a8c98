import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { postgresEventStore } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { type Benchmark, median } from './report.ts'

const rounds = 3
const seconds = 0.7
const program = fileURLToPath(new URL('./append-postgres-process.ts', import.meta.url))

const message = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0]

/** Appends per second of all processes together, to new tables. */
const measure = async (
  cluster: Cluster,
  kind: 'store' | 'plain',
  processes: number,
  callers: number,
): Promise<number> => {
  const { connectionString } = cluster
  const schema = cluster.newSchema()
  const store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
  await store.close()
  await cluster.sql(`CREATE TABLE ${schema}.plain (LIKE ${schema}.events INCLUDING ALL)`)
  const children = Array.from({ length: processes }, (_, number) => {
    const parameters = [connectionString, schema, kind, `${callers}`, `${seconds}`, `${number}`]
    return fork(program, parameters, { execArgv: ['--no-warnings'] })
  })
  await Promise.all(children.map(message))
  const counts = Promise.all(children.map(message))
  for (const child of children) child.send('go')
  const total = (await counts).reduce<number>((sum, count) => sum + Number(count), 0)
  await cluster.sql(`DROP SCHEMA ${schema} CASCADE`)
  return total / seconds
}

/**
 * Durable appends per second of one event each through the store on PostgreSQL, by several processes with several callers
 * each, beside plain inserts of the same rows with the driver, one row of each caller in a transaction. Starts a server
 * of its own from the installed binaries, in the temporary folder. Rounds alternate; a figure is the median.
 */
export const appendPostgres: Benchmark = async () => {
  const cluster = await startCluster(['shared_buffers = 128MB', 'max_wal_size = 4GB'])
  try {
    const report: Record<string, number> = {}
    for (const processes of [1, 2, 4]) {
      for (const callers of [1, 32]) {
        const pairs: { readonly store: number; readonly plain: number }[] = []
        for (let round = 0; round < rounds; round += 1)
          pairs.push({
            store: await measure(cluster, 'store', processes, callers),
            plain: await measure(cluster, 'plain', processes, callers),
          })
        const by = `${processes} × ${callers} callers`
        report[`appends per second, ${by}`] = median(pairs.map(({ store }) => store))
        report[`plain inserts per second, ${by}`] = median(pairs.map(({ plain }) => plain))
        report[`ratio in percent, ${by}`] = 100 * median(pairs.map(({ store, plain }) => store / plain))
      }
    }
    return report
  } finally {
    await cluster.remove()
  }
}

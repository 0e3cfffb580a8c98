import { join } from 'node:path'
import { postgresEventStore } from '@quittance/event-store/postgres'
import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'
import { countByProcesses } from './count-by-processes.ts'
import { median, type Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const seconds = 0.7
const program = new URL('./append-process.ts', import.meta.url)

/** Appends per second of all processes together. `place` is what they get as connection string and schema. */
const perSecond = async (
  kind: string,
  place: readonly [string, string],
  processes: number,
  callers: number,
): Promise<number> => {
  const parametersOf = (number: number) => [...place, kind, `${callers}`, `${seconds}`, `${number}`]
  return (await countByProcesses(program, processes, parametersOf)) / seconds
}

type Measure = (processes: number, callers: number) => Promise<number>

const inNewTables =
  (cluster: Cluster, kind: 'store' | 'plain'): Measure =>
  async (processes, callers) => {
    const { connectionString } = cluster
    const schema = cluster.newSchema()
    const store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
    await store.close()
    await cluster.sql(`CREATE TABLE ${schema}.plain (LIKE ${schema}.events INCLUDING ALL)`)
    const rate = await perSecond(kind, [connectionString, schema], processes, callers)
    await cluster.sql(`DROP SCHEMA ${schema} CASCADE`)
    return rate
  }

const inNewDatabase =
  (cluster: Cluster): Measure =>
  async (processes, callers) => {
    await cluster.sql('CREATE DATABASE emmett')
    const url = cluster.connectionString.replace('/postgres?', '/emmett?')
    const rate = await perSecond('emmett', [url, ''], processes, callers)
    await cluster.sql('DROP DATABASE emmett WITH (FORCE)')
    return rate
  }

const inNewFile: Measure = (processes, callers) =>
  inTemporaryFolder((folder) => perSecond('sqlite', [join(folder, 'log.db'), ''], processes, callers))

/**
 * Durable appends per second of one event each by 1, 2 and 4 processes with 1 and 32 callers each: through our store on
 * PostgreSQL, through Emmett's on the same server, through ours on a file of SQLite, and plain inserts of the same rows with
 * the driver, one row of each caller in a transaction. They alternate; a figure is the median of the rounds, a ratio
 * that of the rounds' ratios.
 */
export const appendsOfProcesses = async (cluster: Cluster, rounds: number): Promise<Report> => {
  const kinds = {
    PostgreSQL: inNewTables(cluster, 'store'),
    Emmett: inNewDatabase(cluster),
    SQLite: inNewFile,
    'plain inserts': inNewTables(cluster, 'plain'),
  }
  const report: Record<string, number> = {}
  for (const processes of [1, 2, 4])
    for (const callers of [1, 32]) {
      const by = `${processes} × ${callers} callers`
      const rates: ReadonlyArray<{ readonly kind: string; readonly rates: Array<number> }> = Object.keys(kinds).map(
        (kind) => ({ kind, rates: [] }),
      )
      for (let round = 0; round < rounds; round += 1)
        for (const [n, measure] of Object.values(kinds).entries())
          rates[n]?.rates.push(await measure(processes, callers))
      for (const { kind, rates: each } of rates) report[`appends, ${by}, a second, ${kind}`] = median(each)
      const [ours, ...others] = rates
      for (const { kind, rates: theirs } of others) {
        const ratios = theirs.map((rate, round) => (ours?.rates[round] ?? Number.NaN) / rate)
        report[`appends, ${by}, PostgreSQL in percent of ${kind}`] = 100 * median(ratios)
      }
    }
  return report
}

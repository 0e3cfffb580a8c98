import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { appendsOfProcesses } from './append-processes.ts'
import { countByProcesses } from './count-by-processes.ts'
import { type Benchmark, median, type Report } from './report.ts'
import { salesOf } from './scale-sales.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const seconds = 1
const callers = 16
const commands = ['create a product', 'create a checkout', 'list products']
const masterKey = 'ab'.repeat(32)
const program = new URL('./scale-process.ts', import.meta.url)

/** Commands per second of all processes together. Each has its own merchant; the sandbox stands still. */
const measure = async (folder: string, databaseUrl: string, command: string, processes: number): Promise<number> => {
  const directoryOf = (number: number) => (databaseUrl === '' ? folder : join(folder, `process-${number}`))
  const parametersOf = (number: number) => [directoryOf(number), databaseUrl, command, `${callers}`, `${seconds}`]
  return (await countByProcesses(program, processes, parametersOf)) / seconds
}

/**
 * Appends as in `append-postgres`. Then whole commands per second through billing, by 1, 2 and 4 processes that share a store,
 * with 16 callers each: in one PostgreSQL, and in one file of SQLite; `--rounds` (1) alternate, and a figure is the median. Then
 * whole sales and renewals of as many services. Starts a server of its own from the installed binaries. Takes some minutes.
 */
export const scale: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const options = { rounds: { type: 'string', default: '1' }, json: { type: 'boolean' } } as const
    const rounds = Number(parseArgs({ args: [...flags], options }).values.rounds)
    const cluster = await startCluster(['shared_buffers = 128MB', 'max_wal_size = 4GB', 'max_connections = 200'])
    try {
      const report: Record<string, Report[string]> = { ...(await appendsOfProcesses(cluster, rounds)) }
      const name = (processes: number): string => `${processes} ${processes === 1 ? 'process' : 'processes'}`
      for (const command of commands)
        for (const processes of [1, 2, 4]) {
          const pairs: Array<{ readonly postgres: number; readonly sqlite: number }> = []
          for (let round = 0; round < rounds; round += 1)
            pairs.push({
              postgres: await measure(join(folder, 'postgres'), cluster.connectionString, command, processes),
              sqlite: await measure(join(folder, 'sqlite'), '', command, processes),
            })
          const by = `${command}, ${name(processes)}`
          report[`${by}, a second on PostgreSQL`] = median(pairs.map(({ postgres }) => postgres))
          report[`${by}, a second on SQLite`] = median(pairs.map(({ sqlite }) => sqlite))
        }
      for (const processes of [1, 2, 4]) {
        await cluster.sql(`CREATE DATABASE sales_${processes}`)
        const url = cluster.connectionString.replace('/postgres?', `/sales_${processes}?`)
        const postgres = { QUITTANCE_DATABASE_URL: url, QUITTANCE_MASTER_KEY: masterKey }
        const pair = {
          PostgreSQL: await salesOf(join(folder, `sales-postgres-${processes}`), postgres, processes),
          SQLite: await salesOf(join(folder, `sales-sqlite-${processes}`), {}, processes),
        }
        for (const [store, { sales, renewals }] of Object.entries(pair)) {
          report[`sales, ${name(processes)}, a second on ${store}`] = sales
          report[`renewals, ${name(processes)}, a second on ${store}`] = renewals
        }
      }
      return report
    } finally {
      await cluster.remove()
    }
  })

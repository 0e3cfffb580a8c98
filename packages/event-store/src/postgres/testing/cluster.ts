import { execFileSync, spawn } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A server of PostgreSQL of its own, which is gone with the test. */
export type Cluster = {
  /** By the socket of its folder. */
  readonly connectionString: string
  /** Over TCP, on the loopback interface. */
  readonly port: number
  readonly folder: string
  /** A schema that no test had before. */
  readonly newSchema: () => string
  /** Runs statements as the owner. */
  readonly sql: (text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** How many transactions the server has ended, since it began, because others had disturbed them. */
  readonly disturbed: () => number
  /** As when the machine of the server crashes, but for its disk. */
  readonly crash: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops the server and removes its folder. */
  readonly remove: () => Promise<void>
}

/** PostgreSQL refuses to run as root. Debian's package makes a user for it. */
const owner = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The folder of the programs of PostgreSQL. */
export const newestBinaries = (): string => {
  const found = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const newest = found.at(-1)
  if (newest === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return newest
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** As the server logs serialization failures and deadlocks. */
const disturbance = /ERROR: {2}(could not serialize access|deadlock detected)/g

/** Starts a server on an empty folder, with `fsync` on. `settings` are lines of its configuration. */
export const startCluster = async (settings: ReadonlyArray<string> = []): Promise<Cluster> => {
  const user = owner()
  const bin = newestBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'quittance-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, ...parameters: ReadonlyArray<string>): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(join(bin, program), parameters, { ...user, cwd: folder, stdio: 'ignore' })
      child.on('error', reject)
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
    })
  await run('initdb', '-D', data, '-U', 'quittance', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync')
  const configuration = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    'fsync = on',
    "shared_buffers = '32MB'",
    ...settings,
  ]
  writeFileSync(join(data, 'postgresql.auto.conf'), `${configuration.join('\n')}\n`)
  const start = () => run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-w', '-t', '60', 'start')
  const stop = (mode: string) => run('pg_ctl', '-D', data, '-m', mode, '-w', '-t', '60', 'stop')
  await start()
  const connectionString = `postgres://quittance@/postgres?host=${folder}&port=${port}`
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => undefined)
  let schemas = 0
  return {
    connectionString,
    port,
    folder,
    newSchema: () => {
      schemas += 1
      return `test_${schemas}`
    },
    sql: async (text, values = []) => (await pool.query(text, [...values])).rows,
    disturbed: () => readFileSync(join(folder, 'log'), 'utf8').match(disturbance)?.length ?? 0,
    crash: () => stop('immediate'),
    start,
    remove: async () => {
      await pool.end()
      await stop('immediate')
      // Processes of the server may end a moment after it, and write until then.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

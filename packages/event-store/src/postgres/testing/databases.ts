import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { type Cluster, newestBinaries, startCluster } from './cluster.ts'

/**
 * One server for all suites of a run and all processes that they start, which find it by this variable. Each folder of a
 * test has a database of its own.
 */
const variable = 'QUITTANCE_TEST_POSTGRES'

/** The database that all others begin as. */
const template = 'beginning'

const at = (server: string, database: string): string => server.replace('/postgres?', `/${database}?`)

const requireServer = (): string => {
  const server = process.env[variable]
  if (server === undefined) throw new Error('No PostgreSQL is running for this test: npm run test:on-postgres')
  return server
}

const asOwner = async (server: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

let running: Cluster | null = null

/** Starts the server. `begin` fills the database that each test begins with. It does not outlive a crash: no test needs that. */
export const startDatabases = async (begin: (connectionString: string) => Promise<void>): Promise<Cluster> => {
  const cluster = await startCluster([
    'max_connections = 500',
    'fsync = off',
    'full_page_writes = off',
    'wal_level = minimal',
    'max_wal_senders = 0',
    "max_wal_size = '256MB'",
  ])
  running = cluster
  process.env[variable] = cluster.connectionString
  await cluster.sql(`CREATE DATABASE ${template}`)
  await begin(at(cluster.connectionString, template))
  return cluster
}

export const stopDatabases = async (): Promise<void> => running?.remove()

const nameOf = (folder: string): string => `test_${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`

const isThere = (cause: unknown): boolean =>
  // Another process made it at the same moment: the name is taken, or the row of the catalog is.
  typeof cause === 'object' && cause !== null && 'code' in cause && (cause.code === '42P04' || cause.code === '23505')

const made = new Map<string, Promise<string>>()

const makeDatabase = async (folder: string): Promise<string> => {
  const server = requireServer()
  const name = nameOf(folder)
  try {
    await asOwner(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  } catch (cause) {
    if (!isThere(cause)) throw cause
  }
  return at(server, name)
}

/** The connection string of a folder's database, which is made if it is missing. */
export const databaseOf = (folder: string): Promise<string> => {
  const known = made.get(folder) ?? makeDatabase(folder)
  made.set(folder, known)
  return known
}

/** Removes a folder's database, if it has one. Connections to it end. */
export const removeDatabaseOf = async (folder: string): Promise<void> => {
  if (!made.delete(folder)) return
  // At the end of a run the server may be gone, and all databases with it.
  await asOwner(requireServer(), `DROP DATABASE IF EXISTS ${nameOf(folder)} WITH (FORCE)`).catch(() => undefined)
}

const mostBytes = 2 ** 28

const runOn = (folder: string, program: string, ...parameters: ReadonlyArray<string>): string => {
  const connectionString = at(requireServer(), nameOf(folder))
  return execFileSync(join(newestBinaries(), program), ['--dbname', connectionString, ...parameters], {
    stdio: 'pipe',
    encoding: 'utf8',
    maxBuffer: mostBytes,
  })
}

/** Writes what a folder's database holds to a file, as an operator would, while it is in use. */
export const dumpDatabaseOf = (folder: string, file: string): void =>
  void runOn(folder, 'pg_dump', '--clean', '--if-exists', '--file', file)

/** Gives a folder's database the content of a dump, in the place of its own. */
export const restoreDatabaseOf = (folder: string, file: string): void =>
  void runOn(
    folder,
    'psql',
    '--no-psqlrc',
    '--quiet',
    '--single-transaction',
    '--set',
    'ON_ERROR_STOP=1',
    '--file',
    file,
  )

/** What a query answers, of one column of JSON, without giving way to other work meanwhile. */
export const queryDatabaseOf = (folder: string, query: string): ReadonlyArray<unknown> =>
  runOn(folder, 'psql', '--no-psqlrc', '--tuples-only', '--no-align', '--command', query)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))

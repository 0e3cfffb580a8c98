import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { eventually } from '@quittance/http/testing/eventually'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from '../config.ts'
import { markBegun } from '../moving/database-mark.ts'
import { openPlatform } from './open-platform.ts'

let cluster: Cluster
let folder: string
beforeEach(async () => {
  cluster = await startCluster()
  folder = mkdtempSync(join(tmpdir(), 'quittance-database-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await cluster.remove()
})

const open = (settings: Record<string, string> = {}) => {
  const own = { QUITTANCE_DATA_DIR: folder, QUITTANCE_DATABASE_URL: cluster.connectionString }
  const config = configFrom({ ...own, ...settings })
  if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
  return openPlatform(config.right)
}
const tables = async () =>
  (await cluster.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'quittance'")).map(
    ({ tablename }) => tablename,
  )

it('a database that is copied to halfway is refused before anything is made in it', async () => {
  const sql = await postgresPrograms({ connectionString: cluster.connectionString })
  await sql.run(markBegun)
  expect(await open()).toMatchObject({ left: [{ variable: 'QUITTANCE_DATABASE_URL' }] })
  expect(await tables()).toEqual(['copied_log'])
  await sql.close()
})

it.each([
  ['one database', false, { database: 'ok' }],
  ['a database and another one of the vault', true, { database: 'ok', vault: 'ok' }],
])('readiness shows whether %s can be written', async (_, hasVault, writes) => {
  if (hasVault) await cluster.sql('CREATE DATABASE keys')
  const keys = cluster.connectionString.replace('/postgres?', '/keys?')
  const opened = await open(hasVault ? { QUITTANCE_VAULT_URL: keys } : {})
  if (E.isLeft(opened)) throw new Error(JSON.stringify(opened.left))
  const { readiness, close } = opened.right
  expect((await readiness()).writes).toEqual({ ...writes, 'sandbox.db': 'ok' })
  await close()
})

it('readiness is not ready while the database cannot be written', async () => {
  const opened = await open()
  if (E.isLeft(opened)) throw new Error(JSON.stringify(opened.left))
  const { readiness, close } = opened.right
  await cluster.sql('ALTER DATABASE postgres SET default_transaction_read_only = on')
  await cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quittance'")
  // Sessions that were ended are found out one by one.
  const found = await eventually(
    () => readiness().catch(() => null),
    (answer) => answer?.writes.database === 'read_only',
  )
  expect(found).toMatchObject({ status: 'not_ready', writes: { database: 'read_only', 'sandbox.db': 'ok' } })
  await close()
})

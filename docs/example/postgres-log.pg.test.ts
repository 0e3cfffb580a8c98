import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'

const program = fileURLToPath(new URL('./postgres-log.ts', import.meta.url))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

it('the example of a log on PostgreSQL prints what it says, and the same when it runs again', async () => {
  const run = async () =>
    (await promisify(execFile)(process.execPath, ['--no-warnings', program, cluster.connectionString])).stdout
  const printed = 'written at position 1\nAppendRefused\n1: Buy milk\nthe log is sound\n'
  expect(await run()).toBe(printed)
  expect(await run()).toBe(printed)
  expect(await cluster.sql('SELECT note FROM notes.notes_1')).toEqual([{ note: 'Buy milk' }])
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'

const program = fileURLToPath(new URL('./shared-database.ts', import.meta.url))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

it('the example of a shared database prints what it says, and again with the data that is there', async () => {
  const given = [cluster.connectionString, 'ab'.repeat(32), join(cluster.folder, 'erased.txt')]
  const run = async () => (await promisify(execFile)(process.execPath, ['--no-warnings', program, ...given])).stdout
  expect(await run()).toBe('the other process knows the key true\n')
  expect(await run()).toBe('the other process knows the key true\n')
})

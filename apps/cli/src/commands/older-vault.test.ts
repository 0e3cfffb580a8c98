import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { dataFiles } from '@quittance/host'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('a newer log beside an older vault', () => {
  let directory: TestDirectory
  let folder: string
  beforeEach(() => {
    directory = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-vault-'))
  })
  afterEach(() => {
    directory.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const create = async (name: string) => merchantIn(await directory.json('merchant', 'create', '--name', name))
  const step = () =>
    directory.opened(async ({ workers }) => {
      for (const worker of workers) await worker.step()
    })
  /** Does the work with a copy of the vault from before. */
  const andBringBackTheVaultBefore = async (work: () => Promise<unknown>) => {
    const { vault } = dataFiles(directory.path)
    const copy = join(folder, 'vault.db')
    const database = openDatabase(vault, { durability: 'full' })
    database.prepare('VACUUM INTO ?').run(copy)
    database.close()
    await work()
    for (const rest of ['-wal', '-shm']) rmSync(`${vault}${rest}`, { force: true })
    copyFileSync(copy, vault)
  }
  const keyNames = () => {
    const database = openDatabase(dataFiles(directory.path).vault, { durability: 'full', readOnly: true })
    try {
      return database
        .prepare("SELECT name FROM vault WHERE name LIKE 'secret/%' ORDER BY name")
        .all()
        .map(({ name }) => String(name))
    } finally {
      database.close()
    }
  }
  const keys = () => directory.opened(async ({ readiness }) => (await readiness()).keys)
  const customerOf = (merchantId: string) =>
    directory.opened(async ({ billing }) => {
      const commandId = billing.freshId()
      const at = billing.clock.now('testnet')
      const scope = { merchantId, environment: 'testnet' as const }
      const context = { ...scope, commandId, correlationId: commandId, causationId: null, actor: 'test', at }
      const profile = { email: 'grace@example.com', name: 'Grace', phone: null, image: null, metadata: {} }
      return billing.customers.createAll(context, [profile])()
    })

  it('is nothing to report while the vault is that of the log', async () => {
    await customerOf((await create('Ada')).merchantId)
    await step()
    expect(await keys()).toEqual({ status: 'ok', lacking: 0, present: [] })
  })

  it('reports lacking keys of merchants and customers, and makes no others in their place', async () => {
    const { merchantId: before } = await create('Ada')
    await step()
    let merchantId = ''
    await andBringBackTheVaultBefore(async () => {
      merchantId = (await create('Grace')).merchantId
      await customerOf(before)
      await step()
    })
    const made = keyNames()
    for (let starts = 0; starts < 2; starts++) {
      expect(await keys()).toEqual({
        status: 'degraded',
        lacking: 2,
        present: [
          { environment: 'testnet', key: `settlement/testnet/${merchantId}`, subject: expect.stringMatching(/^G/) },
          { environment: 'testnet', key: expect.stringMatching(/^subject\/cus_/), subject: expect.any(String) },
        ],
      })
      await step()
    }
    expect(keyNames()).toEqual(made)
    await create('Hedy')
    expect(keyNames().length).toBe(made.length + 1)
  })
})

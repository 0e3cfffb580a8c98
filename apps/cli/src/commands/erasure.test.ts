import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { dataFiles, type Platform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const environment = 'testnet' as const

describe('the erasure of a customer', () => {
  let directory: TestDirectory
  let folder: string
  let backup: string
  let merchantId: string
  let customerId: string
  beforeEach(async () => {
    directory = testDirectory()
    folder = mkdtempSync(join(tmpdir(), 'quittance-erasure-'))
    backup = join(folder, 'one')
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
    customerId = await directory.opened(async (platform) => {
      const profile = { email: 'grace@example.com', name: 'Grace', phone: null, image: null, metadata: {} }
      const made = await platform.billing.customers.createAll(contextIn(platform), [profile])()
      return E.isRight(made) ? (made.right[0]?.id ?? '') : ''
    })
    await directory.json('backup', backup)
    await directory.opened((platform) => platform.billing.customers.remove(contextIn(platform), customerId)())
  })
  afterEach(() => {
    directory.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const contextIn = ({ billing }: Platform) => {
    const commandId = billing.freshId()
    const at = billing.clock.now(environment)
    return { merchantId, environment, commandId, correlationId: commandId, causationId: null, actor: 'test', at }
  }
  const keyBytes = (at: string): number => {
    const database = openDatabase(dataFiles(at).vault, { durability: 'full', readOnly: true })
    const row = database
      .prepare('SELECT length(wrapped) AS bytes FROM vault WHERE name = ?')
      .get(`subject/${customerId}`)
    database.close()
    return Number(row?.bytes)
  }
  /** The customer's history, and who wrote it. */
  const history = async () => {
    const { events } = dataFiles(directory.path)
    const log = sqliteEventStore({ path: events, clock: Date.now, projections: [], readOnly: true })
    const read = await log.readStream(`customer-${customerId}`)()
    log.close()
    return E.isRight(read) ? read.right.events.map(({ type, metadata: { actor } }) => [type, actor]) : []
  }
  const shown = () =>
    directory.opened(({ billing }) => billing.customers.retrieve({ merchantId, environment }, customerId)())
  const accept = () => directory.json('restore', 'accept', '--reason', 'the disk died', '--force')
  const step = () =>
    directory.opened(async ({ workers }) => {
      for (const worker of workers) await worker.step()
    })
  const deletedAgain = [
    ['CustomerCreated', 'test'],
    ['CustomerDeleted', 'process'],
  ]

  it('survives a restore of an older backup: the key is gone before any start, and the customer with the first work', async () => {
    expect(existsSync(join(backup, 'erased.txt'))).toBe(false)
    await directory.json('restore', backup, '--force')
    expect([keyBytes(backup) > 0, keyBytes(directory.path)]).toEqual([true, 0])
    expect(await history()).toEqual([['CustomerCreated', 'test']])
    expect(await shown()).toMatchObject({ right: { id: customerId, email: null, name: null } })
    await accept()
    for (let times = 0; times < 2; times++) {
      await step()
      expect(await history()).toEqual(deletedAgain)
    }
    expect(await shown()).toEqual(E.left({ _tag: 'CustomerNotFound' }))
    expect(await directory.json('verify')).toMatchObject({ ok: true, problems: [] })
  })

  it('survives an older vault alone, and all files, that were put back by hand', async () => {
    const { vault, events } = dataFiles(directory.path)
    const bringBack = (path: string, from: string): void => {
      for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
      copyFileSync(join(backup, from), path)
    }
    bringBack(vault, 'vault.db')
    expect(keyBytes(directory.path)).toBeGreaterThan(0)
    expect(await shown()).toEqual(E.left({ _tag: 'CustomerNotFound' }))
    expect(keyBytes(directory.path)).toBe(0)
    bringBack(vault, 'vault.db')
    bringBack(events, 'quittance.db')
    expect(await shown()).toMatchObject({ right: { email: null } })
    expect(keyBytes(directory.path)).toBe(0)
    await accept()
    await step()
    expect(await history()).toEqual(deletedAgain)
  })

  it('survives a restore on another host that has the list, and without the list only what the backup knows', async () => {
    const other = testDirectory()
    const [from, to] = [dataFiles(directory.path), dataFiles(other.path)]
    copyFileSync(from.masterKey, to.masterKey)
    copyFileSync(from.erased, to.erased)
    await other.json('restore', backup)
    expect(keyBytes(other.path)).toBe(0)
    await directory.json('backup', join(folder, 'two'))
    for (const path of [to.events, to.vault, to.erased]) rmSync(path)
    await other.json('restore', join(folder, 'two'), '--force')
    expect(readFileSync(to.erased, 'utf8')).toBe(`${customerId}\n`)
    expect(keyBytes(other.path)).toBe(0)
    other.remove()
  })
})

import { join } from 'node:path'
import type { EventStore } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { OtherLog, readModels, sqliteReading } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { startNetwork } from '../../testing/network.ts'
import { done } from '../../testing/outcomes.ts'
import { openPlatform, temporaryFolder } from '../../testing/platform.ts'
import { openShop } from '../../testing/shop.ts'
import { openRemoteLog } from './open-remote-log.ts'

const inMemory = () => sqliteEventStore({ path: ':memory:', clock: () => 0, projections: [] })
const silent: EventStore = {
  ...inMemory(),
  readAll: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no answer')) }) }),
}

describe('opening a log on a server', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())
  const path = () => join(folder.path, 'beside.db')
  /** Only a file that nobody has open leaves the write-ahead log. */
  const isClosed = () => {
    const database = openDatabase(path(), { durability: 'full' })
    const left = database.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode
    database.close()
    return left === 'delete'
  }

  it('brings the read models up to the end of the log, and leaves the log open when it closes', async () => {
    const network = await startNetwork()
    const platform = await openPlatform(network, folder.path)
    const merchantId = await openShop(platform)
    const remote = await done(openRemoteLog({ log: platform.services.store, path: path() }))
    expect((await readModels(sqliteReading(remote.rows)).merchants.all()).map(({ id }) => id)).toContain(merchantId)
    expect(remote.projector.applied()).toBe((await platform.logEnd()).events)
    await remote.close()
    expect(isClosed()).toBe(true)
    expect((await platform.logEnd()).events).toBeGreaterThan(0)
    await platform.close()
    await network.close()
  })

  it('answers that the log cannot be read, and closes the file', async () => {
    const outcome = await openRemoteLog({ log: silent, path: path() })()
    expect(outcome).toEqual(E.left({ _tag: 'StoreUnavailable', cause: new Error('no answer') }))
    expect(isClosed()).toBe(true)
  })

  it('throws beside another log than before, and closes the file', async () => {
    const network = await startNetwork()
    const platform = await openPlatform(network, folder.path)
    await openShop(platform)
    await (await done(openRemoteLog({ log: platform.services.store, path: path() }))).close()
    const other = inMemory()
    await expect(openRemoteLog({ log: other, path: path() })()).rejects.toThrow(OtherLog)
    expect(isClosed()).toBe(true)
    other.close()
    await platform.close()
    await network.close()
  })
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf, type SqlProgram } from '@quittance/event-store'
import { databaseOf, dumpDatabaseOf, restoreDatabaseOf } from '@quittance/event-store/postgres/testing/databases'
import { openDatabase } from '@quittance/event-store/sqlite'
import { runBeside } from '../testing/kept.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { filesIn, openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { isInDatabase } from '../testing/stores.ts'
import { subscribersOf } from '../testing/subscribers.ts'
import { noteLackingKeys } from './lacking-keys.ts'

/** As a backup is made: the file may be in use. */
const copy = (from: string, to: string): void => {
  const database = openDatabase(from, { durability: 'full' })
  database.prepare('VACUUM INTO ?').run(to)
  database.close()
}

const copyAll = async (from: string, to: string): Promise<void> => {
  if (isInDatabase()) {
    const dump = join(to, 'dump.sql')
    dumpDatabaseOf(from, dump)
    await databaseOf(to)
    return restoreDatabaseOf(to, dump)
  }
  const [here, there] = [filesIn(from), filesIn(to)]
  copy(here.vault, there.vault)
  if (existsSync(here.events)) copy(here.events, there.events)
}

/**
 * Takes the keys of the service's own accounts and all that are not in the list from a vault, as if it was copied before they
 * were made.
 */
const without = (known: ReadonlyArray<unknown>): SqlProgram<void> =>
  function* () {
    for (const { name } of yield* names())
      if (!known.includes(name) || /^secret\/(operator|channel)\//.test(String(name)))
        yield* rowsOf('DELETE FROM vault WHERE name = ?', String(name))()
  }
const names = rowsOf('SELECT name FROM vault')

describe('a service beside a vault that is older than its log', () => {
  let front: StoreFront
  let older: TestPlatform
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    front = await openStoreFront()
    folder = temporaryFolder()
    const known = (await runBeside(front.folder.path, 'vault', names)).map(({ name }) => name)
    const refunds = refundsIn(front)
    await done(refunds.request(await refunds.paid()))
    await front.step()
    await (await subscribersOf(front)).subscribe(await front.wallets.wallet(3))
    await copyAll(front.folder.path, folder.path)
    await runBeside(folder.path, 'vault', without(known))
    older = await openPlatform(front.network, folder.path)
    await older.shown()
  })
  afterAll(async () => {
    await older.close()
    await front.close()
    folder.remove()
  })

  it('knows that no key is lacking in the newer vault', async () => {
    expect(await noteLackingKeys(front.services)).toEqual([])
  })

  it('notes the account that charges, the sources of transactions, and customers', async () => {
    const account = expect.stringMatching(/^G[A-Z2-7]{55}$/)
    const [operator, channel, customer, ...more] = await noteLackingKeys(older.services)
    expect([operator, channel, more]).toEqual([
      { name: 'operator/testnet', environment: 'testnet', subject: account },
      { name: 'channel/testnet/', environment: 'testnet', subject: account },
      [],
    ])
    expect(present(customer).name).toMatch(/^subject\/cus_/)
  })

  it('makes no other key in their place, neither by itself nor by command', async () => {
    await noteLackingKeys(older.services)
    const before = await older.services.vault.keysNamed('')
    front.network.wait(5_000)
    await done(older.worker.step)
    expect(await refused(older.billing.operator.create('testnet'))).toEqual({
      _tag: 'KeyLacking',
      key: 'operator/testnet',
    })
    expect(await refused(older.billing.channels.create('testnet', 3))).toEqual({
      _tag: 'KeyLacking',
      key: 'channel/testnet/0001',
    })
    await expect(older.services.vault.createKey('operator/testnet')()).rejects.toThrow('lacks the key operator/testnet')
    expect(await older.services.vault.keysNamed('')).toEqual(before)
  })
})

import { existsSync } from 'node:fs'
import { openDatabase } from '@quittance/event-store/sqlite'
import { done, present, refused } from '../testing/outcomes.ts'
import { filesIn, openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { subscribersOf } from '../testing/subscribers.ts'
import { noteLackingKeys } from './lacking-keys.ts'

/** As a backup is made: the file may be in use. */
const copy = (from: string, to: string): void => {
  const database = openDatabase(from, { durability: 'full' })
  database.prepare('VACUUM INTO ?').run(to)
  database.close()
}

/** Takes the keys of the service's own accounts from a vault, as if it was copied before they were made. */
const beforeOwnAccounts = (path: string): void => {
  const database = openDatabase(path, { durability: 'full', secureDelete: true })
  database.execute("DELETE FROM vault WHERE name LIKE 'secret/operator/%' OR name LIKE 'secret/channel/%'")
  database.close()
}

describe('a service beside a vault that is older than its log', () => {
  let front: StoreFront
  let older: TestPlatform
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    front = await openStoreFront()
    folder = temporaryFolder()
    const [from, to] = [filesIn(front.folder.path), filesIn(folder.path)]
    copy(from.vault, to.vault)
    beforeOwnAccounts(to.vault)
    const refunds = refundsIn(front)
    await done(refunds.request(await refunds.paid()))
    await front.step()
    await (await subscribersOf(front)).subscribe(await front.wallets.wallet(3))
    if (existsSync(from.events)) copy(from.events, to.events)
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
    const made = older.services.vault.createKey('operator/testnet')
    await expect(made()).rejects.toThrow('lacks the key operator/testnet')
    expect(await older.services.vault.keysNamed('')).toEqual(before)
  })
})

import { sqliteEventStore, sqlitePrograms } from '@quittance/event-store/sqlite'
import { roles } from '../../stores/roles.ts'
import {
  type OpenDatabase,
  pass,
  prepareDatabase,
  type RoleProcess,
  roleProcess,
} from '../../stores/testing/role-processes.ts'
import { feederInRole } from './feeding-in-role.ts'

const leaseMs = 6_000

describe('the feeding of deliveries by several processes', () => {
  let database: OpenDatabase
  let shared: RoleProcess
  let done: Array<string>
  beforeEach(async () => {
    const store = sqliteEventStore({ path: ':memory:', clock: Date.now, projections: [], durability: 'full' })
    database = { store, sql: sqlitePrograms(store.writer), close: async () => store.close() }
    await prepareDatabase(database)
    shared = roleProcess(database)
    done = []
  })
  afterEach(() => database.close())

  const feeding = (name: string, hasMore = false) => ({
    feed: async (isThorough: boolean) => {
      done.push(`${name} feeds${isThorough ? ' thoroughly' : ''}`)
      return hasMore
    },
    beginAnew: () => void done.push(`${name} begins`),
  })
  const inProcess = (name: string, pollMs = 0) =>
    feederInRole(feeding(name), roles(shared.plain, name, leaseMs), pollMs)

  it('needs no role where there are none', async () => {
    const alone = feederInRole(feeding('alone', true), null, 0)
    expect(await alone.feed(false)).toBe(true)
    await alone.standDown()
    expect(done).toEqual(['alone feeds'])
  })

  it('is done by one of them, until its lease has ended; then the next one goes on from the database', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    for (const each of [one, other, one]) await each.feed(false)
    await pass(shared.plain, leaseMs)
    for (const each of [other, one, other]) await each.feed(false)
    await pass(shared.plain, leaseMs)
    await one.feed(false)
    expect(done).toEqual([
      'one begins',
      'one feeds',
      'one feeds',
      'other begins',
      'other feeds',
      'other feeds',
      'one begins',
      'one feeds',
    ])
  })

  it('is done by each of them that has to look everywhere', async () => {
    await inProcess('one').feed(false)
    await inProcess('other').feed(true)
    expect(done).toEqual(['one begins', 'one feeds', 'other feeds thoroughly'])
  })

  it('is left to another one at once by one that ends', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    await one.feed(false)
    await one.standDown()
    for (const each of [one, other]) await each.feed(false)
    expect(done).toEqual(['one begins', 'one feeds', 'other begins', 'other feeds'])
  })

  it('is asked for by the others no more often than they look for work', async () => {
    const [one, other] = [inProcess('one'), inProcess('other', 1e9)]
    await one.feed(false)
    await other.feed(false)
    await one.standDown()
    await other.feed(false)
    expect(done).toEqual(['one begins', 'one feeds'])
  })
})

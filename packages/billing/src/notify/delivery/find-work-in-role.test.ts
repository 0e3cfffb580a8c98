import { sqliteEventStore, sqlitePrograms } from '@quittance/event-store/sqlite'
import { roles } from '../../stores/roles.ts'
import {
  type OpenDatabase,
  pass,
  prepareDatabase,
  type RoleProcess,
  roleProcess,
} from '../../stores/testing/role-processes.ts'
import { workFinderInRole } from './find-work-in-role.ts'

const leaseMs = 6_000

describe('the finding of work for deliveries by several processes', () => {
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

  const finding = (name: string, hasMore = false) => ({
    find: async (isThorough: boolean) => {
      done.push(`${name} finds${isThorough ? ' everywhere' : ''}`)
      return hasMore
    },
    beginAnew: () => void done.push(`${name} begins`),
  })
  const inProcess = (name: string, pollMs = 0) =>
    workFinderInRole(finding(name), roles(shared.plain, name, leaseMs), pollMs)

  it('needs no role where there are none', async () => {
    const alone = workFinderInRole(finding('alone', true), null, 0)
    expect(await alone.find(false)).toBe(true)
    await alone.standDown()
    expect(done).toEqual(['alone finds'])
  })

  it('is done by one of them, until its lease has ended; then the next one goes on from the database', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    for (const each of [one, other, one]) await each.find(false)
    await pass(shared.plain, leaseMs)
    for (const each of [other, one, other]) await each.find(false)
    await pass(shared.plain, leaseMs)
    await one.find(false)
    expect(done).toEqual([
      'one begins',
      'one finds',
      'one finds',
      'other begins',
      'other finds',
      'other finds',
      'one begins',
      'one finds',
    ])
  })

  it('is done by each of them that has to look everywhere', async () => {
    await inProcess('one').find(false)
    await inProcess('other').find(true)
    expect(done).toEqual(['one begins', 'one finds', 'other finds everywhere'])
  })

  it('is left to another one at once by one that ends', async () => {
    const [one, other] = [inProcess('one'), inProcess('other')]
    await one.find(false)
    await one.standDown()
    for (const each of [one, other]) await each.find(false)
    expect(done).toEqual(['one begins', 'one finds', 'other begins', 'other finds'])
  })

  it('is asked for by the others no more often than they look for work', async () => {
    const [one, other] = [inProcess('one'), inProcess('other', 1e9)]
    await one.find(false)
    await other.find(false)
    await one.standDown()
    await other.find(false)
    expect(done).toEqual(['one begins', 'one finds'])
  })
})

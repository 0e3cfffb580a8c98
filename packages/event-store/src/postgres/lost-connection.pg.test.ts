import { right } from '@quittance/domain/testing'
import { read, readLog, sampleEvent } from '../conformance/sample.ts'
import { type Alongside, noEvents } from '../port.ts'
import { changesOf } from '../sql-program.ts'
import { type PostgresEventStore, postgresEventStore } from './store.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { type CuttingProxy, startCuttingProxy } from './testing/cutting-proxy.ts'

let cluster: Cluster
let proxy: CuttingProxy
let store: PostgresEventStore
let schema: string
beforeAll(async () => {
  cluster = await startCluster()
  proxy = await startCuttingProxy(cluster.port)
})
afterAll(async () => {
  proxy.close()
  await cluster.remove()
})
beforeEach(async () => {
  schema = cluster.newSchema()
  const connectionString = `postgres://quittance@127.0.0.1:${proxy.port}/postgres`
  store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
  await cluster.sql(`CREATE TABLE ${schema}.claims (name text PRIMARY KEY)`)
})
afterEach(() => store.close())

const claim: Alongside = function* () {
  yield* changesOf('INSERT INTO claims VALUES (?)', 'once')()
}

describe.each([
  { kind: 'a plain append', at: 'lost-1', alongside: undefined, claims: 0 },
  { kind: 'an append with a write alongside', at: 'COMMIT', alongside: claim, claims: 1 },
])('$kind whose connection is lost during its commit', ({ at, alongside, claims }) => {
  it.each(['before the server', 'before the answer'] as const)(
    'is of unknown outcome when lost %s, and sending it again has one effect',
    async (moment) => {
      const { head } = right(await store.append('sample-1', noEvents, [sampleEvent('first')])())
      proxy.cutAt(at, moment)
      const lost = await store.append('sample-1', head, [sampleEvent('lost-1')], alongside)()
      expect(lost).toMatchObject({ _tag: 'Left', left: { _tag: 'OutcomeUnknown' } })
      const again = right(await store.append('sample-1', head, [sampleEvent('lost-1')], alongside)())
      expect(await read(store, 'sample-1')).toMatchObject({ head: again.head })
      expect((await readLog(store)).map(({ id }) => id)).toEqual(['first', 'lost-1'])
      expect(await cluster.sql(`SELECT count(*)::int AS claims FROM ${schema}.claims`)).toEqual([{ claims }])
    },
  )
})

it('an append whose connection is lost before its commit is not written', async () => {
  proxy.cutAt('INSERT INTO claims', 'before the answer')
  const lost = await store.append('sample-1', noEvents, [sampleEvent('a')], claim)()
  expect(lost).toMatchObject({ _tag: 'Left', left: { _tag: 'StoreUnavailable' } })
  expect(await readLog(store)).toEqual([])
  right(await store.append('sample-1', noEvents, [sampleEvent('a')], claim)())
})

it('an append of unknown outcome stays unknown while the server is away', async () => {
  proxy.cutAt('away-1', 'before the answer')
  const lost = store.append('sample-1', noEvents, [sampleEvent('away-1')])
  expect(await lost()).toMatchObject({ left: { _tag: 'OutcomeUnknown' } })
  await cluster.crash()
  expect(await lost()).toMatchObject({ left: { _tag: 'OutcomeUnknown' } })
  expect(await store.append('other-1', noEvents, [sampleEvent('b')])()).toMatchObject({
    left: { _tag: 'StoreUnavailable' },
  })
  await cluster.start()
  expect(right(await lost()).position).toBe(1n)
  expect((await readLog(store)).map(({ id }) => id)).toEqual(['away-1'])
})

import { randomUUID } from 'node:crypto'
import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { noEvents } from '@quittance/event-store'
import {
  type PostgresEventStore,
  type PostgresProjection,
  type PostgresReader,
  postgresEventStore,
  postgresReader,
} from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { Found, ReadModel } from '../read-model.ts'
import { table } from '../table.ts'
import { tableName } from '../table-rows.ts'
import { writingTo } from '../testing/log.ts'
import { startChild } from '../testing/process.ts'
import { postgresProjections } from './projections.ts'
import { postgresReading } from './reading.ts'
import { appendTo, everyEvent } from './testing/copied.ts'
import { postgresProjection, postgresRowWriter } from './write-rows.ts'

const Thing = t.strict({ status: t.string, due: t.union([t.number, t.null]), times: t.number })
type Thing = t.TypeOf<typeof Thing>

const things: ReadModel<Thing> = {
  name: 'things',
  version: 1,
  category: 'thing',
  row: Thing,
  fold: (before, { data, type }) => {
    if (type === 'Ignored') return before
    const times = O.isSome(before) ? before.value.times + 1 : 1
    return O.some(right(Thing.decode({ ...data, times })))
  },
  columns: ({ status, due }) => ({ status, dueAt: due }),
}

const changed = (data: Partial<Thing> = {}) => ({
  type: 'Changed',
  schemaVersion: 1,
  data: { status: 'new', due: null, ...data },
})
const ignored = { type: 'Ignored', schemaVersion: 1, data: {} }

let cluster: Cluster
let schema: string
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

const opened: (PostgresEventStore | PostgresReader)[] = []
beforeEach(() => {
  schema = cluster.newSchema()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

const open = async (projections: ReadonlyArray<PostgresProjection>, into = schema) => {
  const { connectionString } = cluster
  const store = await postgresEventStore({ connectionString, schema: into, clock: () => 0, projections })
  opened.push(store)
  return { store, ...writingTo(store) }
}
const reader = (): PostgresReader => {
  const opening = postgresReader({ connectionString: cluster.connectionString, schema })
  opened.push(opening)
  return opening
}
const openThings = async () => {
  const log = await open([postgresProjection(postgresRowWriter(things))])
  return { ...log, rows: table(postgresReading(reader()), things) }
}
const idsOf = async (rows: AsyncIterable<Found<Thing>>): Promise<ReadonlyArray<string>> => {
  const ids: string[] = []
  for await (const { id } of rows) ids.push(id)
  return ids
}
const testnet = { merchantId: 'mer_1', environment: 'testnet' as const }

describe('the rows of a read model on PostgreSQL', () => {
  it('are what the fold makes of each stream, with the scope of its first event', async () => {
    const { append, rows } = await openThings()
    await append('thing-a', [changed(), changed({ status: 'old' })])
    await append('thing-b', [changed()], { merchantId: 'mer_2', environment: 'mainnet' })
    await append('thing-b', [changed({ due: 7 })], { merchantId: 'mer_3' })
    await append('other-c', [changed()])
    expect(await rows.all()).toEqual([
      { id: 'a', ...testnet, row: { status: 'old', due: null, times: 2 } },
      { id: 'b', merchantId: 'mer_2', environment: 'mainnet', row: { status: 'new', due: 7, times: 2 } },
    ])
  })

  it('are none for a stream whose events make no row, until one does', async () => {
    const { append, rows } = await openThings()
    await append('thing-a', [ignored, ignored])
    expect(await rows.all()).toEqual([])
    await append('thing-a', [ignored, changed(), ignored])
    expect((await rows.all()).map(({ row }) => row.times)).toEqual([1])
  })

  it('have seen every event once, even when events are applied again', async () => {
    const projection = postgresProjection(postgresRowWriter(things))
    let again: ReadonlyArray<RecordedEvent> = []
    const { append, read } = await open([
      { ...projection, apply: (sql, events) => projection.apply(sql, [...again, ...events]) },
    ])
    const rows = table(postgresReading(reader()), things)
    await append('thing-a', [changed(), changed(), changed({ status: 'old' })])
    await append('thing-b', [changed()])
    again = (await read('thing-a')).events.slice(1)
    await append('thing-b', [changed()])
    expect((await rows.all()).map(({ id, row }) => [id, row.times])).toEqual([
      ['a', 3],
      ['b', 2],
    ])
  })

  it('are written with their append or not at all: a fold that throws refuses that append alone', async () => {
    const { store, rows } = await openThings()
    const append = (stream: string, type: string, status: string | number) =>
      store.append(stream, noEvents, [{ ...fresh(type), data: { status, due: null } }])()
    const outcomes = await Promise.all([
      append('thing-a', 'Changed', 'new'),
      append('thing-b', 'Changed', 7),
      append('thing-c', 'Changed', 'new'),
    ])
    expect(outcomes.map((each) => (each._tag === 'Left' ? each.left._tag : 'Appended'))).toEqual([
      'Appended',
      'AppendRefused',
      'Appended',
    ])
    expect((await everyEvent(store)).map(({ stream }) => stream)).toEqual(['thing-a', 'thing-c'])
    expect((await rows.all()).map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('of a new version are there once the store opens, beside those of the old one', async () => {
    const { append, rows } = await openThings()
    for (const stream of ['thing-a', 'thing-b']) await append(stream, [changed(), changed()])
    const next = { ...things, version: 2, columns: ({ times }: Thing) => ({ lookupKey: `${times}` }) }
    await open([postgresProjection(postgresRowWriter(next))])
    expect((await table(postgresReading(reader()), next).withKey('2')).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await rows.withKey('2')).toEqual([])
  })

  it('are listed to the end where there are more than are read at once', async () => {
    const { append, rows } = await openThings()
    const dues = Array.from({ length: 230 }, (_, n) => ({ id: `${n}`.padStart(3, '0'), due: n % 7 }))
    const events = dues.map(({ id, due }) => append(`thing-${id}`, [changed({ due })]))
    await Promise.all(events)
    const sorted = dues.toSorted((one, other) => one.due - other.due || (one.id < other.id ? -1 : 1))
    expect(await idsOf(rows.due('testnet', 7))).toEqual(sorted.map(({ id }) => id))
    expect(await idsOf(rows.ofStatus(testnet, 'new'))).toEqual(dues.map(({ id }) => id))
    expect(await rows.countDue('testnet', 0, 3)).toBe(99)
    expect([await rows.nextDue('testnet', 3), await rows.nextDue('testnet', 6)]).toEqual([4, null])
  })
})

const fresh = (type: string) => {
  const id = randomUUID()
  const context = { commandId: id, correlationId: id, causationId: null, actor: 'test', occurredAt: 0 }
  return { id, ...changed(), type, context: { ...context, ...testnet } }
}

describe('a process that is killed while it appends', () => {
  it('leaves rows that hold what the log does', async () => {
    const child = startChild('appendingToPostgres', cluster.connectionString, schema)
    for (let n = 0; n < 20; n += 1) expect(await child.line()).toBe('written')
    child.kill()
    expect(await child.ended).toBe('SIGKILL')
    const { store } = await open([])
    const events = await everyEvent(store)
    const rebuilt = cluster.newSchema()
    await appendTo((await open([], rebuilt)).store, events)
    await open(postgresProjections, rebuilt)
    const end = events.at(-1)?.position
    expect(Number(end)).toBeGreaterThan(100)
    for (const projection of postgresProjections) {
      const rowsOf = (each: string) => cluster.sql(`SELECT * FROM ${each}.${tableName(projection)} ORDER BY id`)
      expect(await rowsOf(schema)).toEqual(await rowsOf(rebuilt))
    }
    const marks = await cluster.sql(`SELECT DISTINCT position FROM ${schema}.inline_projections`)
    expect(marks).toEqual([{ position: String(end) }])
  })
})

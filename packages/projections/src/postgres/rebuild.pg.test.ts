import { setTimeout as pause } from 'node:timers/promises'
import { right } from '@quittance/domain/testing/outcomes'
import {
  type PostgresEventStore,
  type PostgresProjection,
  postgresEventStore,
  postgresReader,
} from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { ReadModel } from '../read-model.ts'
import { readModels } from '../read-models.ts'
import { modelNames, rebuild } from '../rebuild/rebuild.ts'
import type { Progress, Rebuilt } from '../rebuild/rebuild-model.ts'
import { writeEverything } from '../testing/every-row.ts'
import { openLog, writingTo } from '../testing/log.ts'
import { startChild, temporaryFolder } from '../testing/process.ts'
import { postgresProjections } from './projections.ts'
import { postgresReading } from './reading.ts'
import { type PostgresRebuilding, postgresRebuild } from './rebuild.ts'
import { appendTo, everyEvent } from './testing/copied.ts'
import { type PostgresRowWriter, postgresProjection, postgresRowWriter } from './write-rows.ts'

const things = (version: number): ReadModel<number> => ({
  name: 'things',
  version,
  category: 'thing',
  row: t.number,
  fold: (before) => O.some((O.isSome(before) ? before.value : 0) + version),
  columns: (times) => ({ status: `${times}` }),
})
const thing = { type: 'Happened', schemaVersion: 1, data: {} }
const [writer, projection] = [postgresRowWriter(things(1)), postgresProjection(postgresRowWriter(things(1)))]

let cluster: Cluster
let schema: string
const opened: { readonly close: () => Promise<void> }[] = []
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())
beforeEach(() => {
  schema = cluster.newSchema()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

const open = async (projections: ReadonlyArray<PostgresProjection>): Promise<PostgresEventStore> => {
  const { connectionString } = cluster
  const store = await postgresEventStore({ connectionString, schema, clock: () => 0, projections })
  opened.push(store)
  return store
}
/** A log with three things, of which the first has happened twice. */
const openThings = async () => {
  const { append } = writingTo(await open([projection]))
  for (const id of ['a', 'b', 'c', 'a']) await append(`thing-${id}`, [thing])
  return append
}
const rebuilding = (changed: Partial<PostgresRebuilding> = {}) => {
  const { connectionString } = cluster
  const usual = { models: ['things'], own: [writer], compareOnly: false, onProgress: () => undefined }
  return postgresRebuild({ connectionString, schema, ...usual, ...changed })()
}
const rebuilt = async (changed: Partial<PostgresRebuilding> = {}): Promise<ReadonlyArray<Rebuilt>> =>
  right(await rebuilding(changed))
const rowsOf = (table: string) => cluster.sql(`SELECT * FROM ${schema}.${table} ORDER BY id`)
const bodiesOf = async (table: string) => (await rowsOf(table)).map(({ id, body }) => `${id} ${body}`)
const marks = async () =>
  (
    await cluster.sql(
      `SELECT version, position FROM ${schema}.inline_projections WHERE name = 'things' ORDER BY version`,
    )
  ).map(({ version, position }) => [Number(version), Number(position)])
/** The tables and indexes of the read model. */
const relations = async (): Promise<ReadonlyArray<unknown>> =>
  (
    await cluster.sql(
      `SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relname LIKE 'things%' ORDER BY relname`,
      [schema],
    )
  ).map(({ relname }) => relname)

describe('a rebuild of read models on PostgreSQL', () => {
  it('tells each row that was changed, lost or made up, and puts all of them right', async () => {
    await openThings()
    const [live, before] = [await rowsOf('things_1'), await relations()]
    await cluster.sql(`UPDATE ${schema}.things_1 SET status = 'forged', due_at = 7 WHERE id = 'a'`)
    await cluster.sql(`DELETE FROM ${schema}.things_1 WHERE id = 'b'`)
    await cluster.sql(`INSERT INTO ${schema}.things_1 (revision, id, merchant_id, environment, body)
      VALUES (0, 'made-up', 'mer_9', 'testnet', 'no JSON')`)
    const damaged = await rowsOf('things_1')
    const numbered = ({ revision, due_at, ...row }: Record<string, unknown>) => ({
      ...row,
      revision: Number(revision),
      due_at: due_at === null ? null : Number(due_at),
    })
    const [a, b] = live.map(numbered)
    const found = {
      model: 'things',
      version: 1,
      events: 4,
      rows: 3,
      compared: true,
      differing: 3,
      differences: [
        { id: 'a', live: { ...a, status: 'forged', due_at: 7 }, rebuilt: a },
        { id: 'b', live: null, rebuilt: b },
        { id: 'made-up', live: expect.objectContaining({ merchant_id: 'mer_9', body: 'no JSON' }), rebuilt: null },
      ],
    }
    expect(await rebuilt({ compareOnly: true })).toEqual([{ ...found, switched: false }])
    expect(await rowsOf('things_1')).toEqual(damaged)
    expect(await rebuilt()).toEqual([{ ...found, switched: true }])
    expect([await rowsOf('things_1'), await relations(), await marks()]).toEqual([live, before, [[1, 4]]])
    expect(await rebuilt()).toMatchObject([{ differing: 0, differences: [], switched: true }])
  })

  it('counts all rows that differ and lists twenty', async () => {
    await openThings()
    await cluster.sql(`INSERT INTO ${schema}.things_1 (revision, id, merchant_id, environment, body)
      SELECT 0, 'x' || n, 'mer_9', 'testnet', '{}' FROM generate_series(1, 2500) AS n`)
    const [found] = await rebuilt()
    expect([found?.differing, found?.differences.length]).toEqual([2_500, 20])
  })

  it('takes further appends by stores that were open all the time', async () => {
    const append = await openThings()
    for (const id of ['b', 'd']) {
      await rebuilt()
      await append(`thing-${id}`, [thing])
    }
    expect([await bodiesOf('things_1'), await marks()]).toEqual([['a 2', 'b 2', 'c 1', 'd 1'], [[1, 6]]])
  })

  it('builds a new version beforehand, and keeps only the newest of the older ones', async () => {
    const append = await openThings()
    const own = (version: number) => ({ own: [postgresRowWriter(things(version))] })
    const made = { events: 4, rows: 3, compared: false, differing: 0, differences: [], switched: true }
    expect(await rebuilt(own(2))).toEqual([{ model: 'things', version: 2, ...made }])
    await append('thing-a', [thing])
    expect([await bodiesOf('things_1'), await bodiesOf('things_2')]).toEqual([
      ['a 3', 'b 1', 'c 1'],
      ['a 4', 'b 2', 'c 2'],
    ])
    await open([postgresProjection(postgresRowWriter(things(2)))])
    expect([await bodiesOf('things_2'), await marks()]).toEqual([
      ['a 6', 'b 2', 'c 2'],
      [
        [1, 5],
        [2, 5],
      ],
    ])
    await rebuilt(own(3))
    expect(await marks()).toEqual([
      [2, 5],
      [3, 5],
    ])
    expect((await relations()).filter((name) => /^things_\d$/.test(String(name)))).toEqual(['things_2', 'things_3'])
  })

  it('finds what the rebuild on SQLite finds, and tells how far it is with all of them', async () => {
    const folder = temporaryFolder()
    const path = folder.path('log.db')
    const log = openLog([], path)
    await writeEverything(log)
    const events = await everyEvent(log.store)
    log.store.close()
    const everything = { models: null, own: [], compareOnly: false }
    const expected = right(await rebuild({ path, log: null, ...everything, onProgress: () => undefined })())
    folder.remove()

    const store = await open([])
    await appendTo(store, events)
    const seen: Array<Progress & { readonly model: string }> = []
    const onProgress = (progress: Progress & { readonly model: string }) => void seen.push(progress)
    expect(await rebuilt({ ...everything, onProgress })).toEqual(expected)
    await open(postgresProjections)
    const again = await rebuilt({ ...everything, onProgress })
    expect(again).toEqual(expected.map((each) => ({ ...each, compared: true })))

    const all = again.reduce((sum, each) => sum + each.events, 0)
    const rows = again.reduce((sum, each) => sum + each.rows, 0)
    expect(seen.filter((each) => each.all !== all || each.done > all)).toEqual([])
    expect([...new Set(seen.map(({ model }) => model))]).toEqual(modelNames)
    expect(seen.at(-1)).toEqual({ model: modelNames.at(-1), done: all, all, comparedRows: rows })
  })

  it('goes on while another process appends and others read, none of which fails', async () => {
    const child = startChild('appendingToPostgres', cluster.connectionString, schema)
    for (let n = 0; n < 10; n += 1) expect(await child.line()).toBe('written')
    const reader = postgresReader({ connectionString: cluster.connectionString, schema })
    opened.push(reader)
    const { payments, customers } = readModels(postgresReading(reader))
    let isOver = false
    const read = async (): Promise<number> => {
      let least = 0
      for (; !isOver; await pause(1)) {
        const rows = [await payments.all(), await customers.all()].flat().length
        if (rows < least) throw new Error(`${least} rows were there, now ${rows}`)
        least = rows
      }
      return least
    }
    const reading = read()
    for (const _ of [1, 2]) {
      const found = await rebuilt({ models: null, own: [] })
      expect(found.filter(({ differing, compared }) => differing > 0 || !compared)).toEqual([])
      for (let n = 0; n < 5; n += 1) expect(await child.line()).toBe('written')
    }
    isOver = true
    expect(await reading).toBeGreaterThan(0)
    child.kill()
    // A process ends for us once all that it said is read.
    while ((await child.line()) !== null);
    expect(await child.ended).toBe('SIGKILL')
    const found = await rebuilt({ models: null, own: [], compareOnly: true })
    expect(found.filter(({ differing }) => differing > 0)).toEqual([])
  })
})

describe('a rebuild on PostgreSQL that cannot go on', () => {
  /** Waits inside a transaction of the rebuild. */
  const halting = () => {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const halted: PostgresRowWriter = {
      ...writer,
      apply: async (...given) => {
        begin()
        await gate
        await writer.apply(...given)
      },
    }
    return { halted, begun, goOn }
  }

  it('is refused while another runs', async () => {
    await openThings()
    const { halted, begun, goOn } = halting()
    const first = rebuilding({ own: [halted] })
    await begun
    expect(await rebuilding()).toEqual(E.left({ _tag: 'AlreadyRebuilding' }))
    goOn()
    expect(right(await first)).toMatchObject([{ differing: 0, switched: true }])
  })

  it('leaves the live table as it was when its session ends, and does not block the next', async () => {
    await openThings()
    await cluster.sql(`UPDATE ${schema}.things_1 SET status = 'forged'`)
    const live = await rowsOf('things_1')
    const { halted, begun, goOn } = halting()
    const first = rebuilding({ own: [halted] })
    await begun
    const inside = "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'"
    const [session] = await cluster.sql(inside)
    await cluster.sql('SELECT pg_terminate_backend($1)', [session?.pid])
    while ((await cluster.sql('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [session?.pid])).length > 0);
    goOn()
    expect(await first).toMatchObject(E.left({ _tag: 'StoreUnavailable', cause: { name: 'PostgresError' } }))
    expect(await rowsOf('things_1')).toEqual(live)
    expect(await rebuilt()).toMatchObject([{ differing: 3, switched: true }])
    expect((await relations()).filter((name) => String(name).includes('rebuilt'))).toEqual([])
  })

  it('throws what a fold throws, and leaves nothing behind', async () => {
    await openThings()
    const before = [await rowsOf('things_1'), await relations()]
    const defect = new Error('it cannot be folded')
    const unfoldable = postgresRowWriter({
      ...things(1),
      fold: () => {
        throw defect
      },
    })
    await expect(rebuilding({ own: [unfoldable] })).rejects.toBe(defect)
    expect([await rowsOf('things_1'), await relations()]).toEqual(before)
  })

  it('is refused without a log, for an altered or newer one, and where two read models have one name', async () => {
    expect(await rebuilding()).toEqual(E.left({ _tag: 'NothingToRebuild' }))
    await openThings()
    await expect(rebuilding({ own: [writer, { ...writer, version: 2 }] })).rejects.toThrow(RangeError)
    await cluster.sql(`UPDATE ${schema}.inline_projections SET position = 9`)
    const message = 'things has applied position 9, but the log ends at 4'
    expect(await rebuilding()).toMatchObject(
      E.left({ _tag: 'StoreUnavailable', cause: { name: 'AlteredLog', message } }),
    )
    await cluster.sql(`INSERT INTO ${schema}.schema_version VALUES (9)`)
    expect(await rebuilding()).toEqual(E.left({ _tag: 'NewerSchema', message: expect.stringContaining('version 9') }))
  })
})

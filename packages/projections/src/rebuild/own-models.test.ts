import { randomUUID } from 'node:crypto'
import { right } from '@quittance/domain/testing/outcomes'
import type { SqlRow } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { ReadModel } from '../read-model.ts'
import { inlineProjections } from '../read-models.ts'
import { sqliteReading } from '../reading.ts'
import { table } from '../table.ts'
import { openLog } from '../testing/log.ts'
import { temporaryFolder } from '../testing/process.ts'
import { rowsIn } from '../testing/tables.ts'
import { inlineProjection, type RowWriter, rowWriter } from '../write-rows.ts'
import { rebuild } from './rebuild.ts'

/** How often each order of a platform was shipped: a fold into Quittance's own columns. */
const shipments: ReadModel<number> = {
  name: 'shipments',
  version: 1,
  category: 'order',
  row: t.number,
  fold: (count) => O.some(O.getOrElse(() => 0)(count) + 1),
  columns: (count) => ({ status: String(count) }),
}

/** The same in columns of its own, with an index. */
const ownColumns: RowWriter = {
  name: 'shipped',
  version: 1,
  category: 'order',
  create: (database, name) =>
    database.execute(`
      CREATE TABLE IF NOT EXISTS ${name} (id TEXT PRIMARY KEY, times INTEGER) STRICT;
      CREATE INDEX IF NOT EXISTS ${name}_times ON ${name} (times)
    `),
  open: (database, name) => {
    const add = database.prepare(`INSERT INTO ${name} VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET times = times + 1`)
    return ({ stream }) => {
      if (stream.startsWith('order-')) add.run(stream.slice('order-'.length))
    }
  },
}
const own: ReadonlyArray<RowWriter> = [rowWriter(shipments), ownColumns]
const projections = [...inlineProjections, ...own.map(inlineProjection)]

describe('read models of a platform', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  const path = () => folder.path(`${randomUUID()}.db`)
  const ship = (log: ReturnType<typeof openLog>, order: string) =>
    log.append(`order-${order}`, [{ type: 'OrderShipped', schemaVersion: 1, data: {} }])
  const opened = async (file: string) => {
    const log = openLog(projections, file)
    for (const order of ['a', 'b', 'a']) await ship(log, order)
    return log
  }
  const rebuilt = async (file: string, models: ReadonlyArray<string> | null = ['shipments', 'shipped']) =>
    right(await rebuild({ path: file, log: null, models, own, compareOnly: false, onProgress: () => {} })())
  const ofOrders = [
    { id: 'a', times: 2 },
    { id: 'b', times: 1 },
  ]

  it('hold each event once it is appended, beside those of Quittance', async () => {
    const log = await opened(path())
    const { store } = log
    const rows = await table(sqliteReading(store.reader), shipments).all()
    expect(rows.map(({ id, row }) => [id, row])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(rowsIn(store.reader, 'shipped_1')).toEqual(ofOrders)
    store.close()
  })

  it('apply the log that was there before them', async () => {
    const file = path()
    const before = openLog(inlineProjections, file)
    for (const order of ['a', 'b', 'a']) await ship(before, order)
    before.store.close()
    const { store } = openLog(projections, file)
    expect(rowsIn(store.reader, 'shipped_1')).toEqual(ofOrders)
    store.close()
  })

  it('are rebuilt as often as they are damaged, while the log is in use, and tell what differed', async () => {
    const file = path()
    const log = await opened(file)
    const damaged: SqlRow = { id: 'a', times: 7 }
    for (const times of [1, 2, 3]) {
      const writer = openDatabase(file, { durability: 'full' })
      writer.execute(`UPDATE shipped_1 SET times = 7 WHERE id = 'a'; DELETE FROM shipments_1`)
      writer.close()
      const found = await rebuilt(file)
      expect(found).toMatchObject([
        { model: 'shipments', differing: 2 + (times - 1), switched: true },
        { model: 'shipped', differing: 1, differences: [{ id: 'a', live: damaged }], switched: true },
      ])
      await ship(log, `c${times}`)
    }
    expect(rowsIn(log.store.reader, 'shipped_1')).toEqual([
      ...ofOrders,
      ...[1, 2, 3].map((number) => ({ id: `c${number}`, times: 1 })),
    ])
    log.store.close()
  })

  it('are among all the read models of a rebuild', async () => {
    const file = path()
    ;(await opened(file)).store.close()
    const all = await rebuilt(file, null)
    expect(all.filter(({ differing }) => differing > 0)).toEqual([])
    expect(all.slice(-2).map(({ model, rows }) => [model, rows])).toEqual([
      ['shipments', 2],
      ['shipped', 2],
    ])
  })

  it('are not rebuilt under a name of Quittance', async () => {
    const file = path()
    ;(await opened(file)).store.close()
    const taken = [{ ...ownColumns, name: 'payments', version: 1 }]
    const rebuilding = { path: file, log: null, models: null, own: taken, compareOnly: false, onProgress: () => {} }
    await expect(rebuild(rebuilding)()).rejects.toThrow(new RangeError('two read models have one name'))
  })

  it('are refused where two have one name and version', () =>
    expect(() => openLog([...projections, inlineProjection(ownColumns)])).toThrow(
      new RangeError('two projections have one name and version'),
    ))
})

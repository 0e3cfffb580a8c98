import type { SqlDatabase } from '@quittance/event-store'
import fc from 'fast-check'
import { inlineProjections } from '../read-models.ts'
import { anyHistory, write } from '../testing/any-history.ts'
import { openLog } from '../testing/log.ts'
import { allRows, rowsIn, tableOf, tablesLike, writerOf } from '../testing/tables.ts'
import { inlineMarks } from './live-table.ts'
import { fileFeed } from './log-feed.ts'
import { type ModelRebuilding, type Progress, type RebuildSite, rebuildModel } from './rebuild-model.ts'

const silent: ModelRebuilding = { compareOnly: false, onProgress: () => {} }
const siteOf = (database: SqlDatabase, batchSize = 1_000): RebuildSite => ({
  database,
  marks: inlineMarks(database),
  feedOf: ({ category }) => fileFeed(database, category, batchSize),
})
const payments = writerOf('payments')
const unfoldable = () => () => {
  throw new Error('it cannot be folded')
}
const newer = { ...payments, version: payments.version + 1 }
const newest = { ...payments, version: payments.version + 2 }
const table = tableOf('payments')
const next = tableOf('payments', 1)
const third = tableOf('payments', 2)

describe('a rebuilt read model', () => {
  let log: ReturnType<typeof openLog>
  beforeEach(async () => {
    log = openLog(inlineProjections)
    await write(log, fc.sample(anyHistory, { numRuns: 6, seed: 20_261_101 }).flat())
  })
  afterEach(() => log.store.close())
  const sql = (text: string): void => log.store.writer.execute(text)
  const rebuild = (changed: Partial<ModelRebuilding> = {}, writer = payments, batchSize = 1_000) =>
    rebuildModel(siteOf(log.store.writer, batchSize), writer, { ...silent, ...changed })
  const checkpoints = () =>
    log.store.reader.prepare("SELECT version, position FROM inline_projections WHERE name = 'payments'").all()

  it('tells each row that was changed, lost or made up, and puts all of them right', async () => {
    const live = rowsIn(log.store.reader, table)
    const [changed, lost] = live
    sql(`UPDATE ${table} SET status = 'forged', due_at = 7 WHERE id = '${changed?.id}'`)
    sql(`DELETE FROM ${table} WHERE id = '${lost?.id}'`)
    sql(`INSERT INTO ${table} VALUES ('made-up', 'mer_9', 'testnet', NULL, NULL, NULL, NULL, 0, 'no JSON')`)
    const damaged = rowsIn(log.store.reader, table)
    const found = {
      compared: true,
      differing: 3,
      differences: [
        { id: changed?.id, live: { ...changed, status: 'forged', due_at: 7 }, rebuilt: changed },
        { id: lost?.id, live: null, rebuilt: lost },
        { id: 'made-up', live: expect.objectContaining({ merchant_id: 'mer_9', body: 'no JSON' }), rebuilt: null },
      ],
      rows: live.length,
    }
    expect(await rebuild({ compareOnly: true })).toMatchObject({ ...found, switched: false })
    expect(rowsIn(log.store.reader, table)).toEqual(damaged)
    expect(await rebuild()).toMatchObject({ ...found, switched: true })
    expect(rowsIn(log.store.reader, table)).toEqual(live)
    expect(await rebuild()).toMatchObject({ differing: 0, switched: true })
  })

  it('counts all rows that differ and lists twenty', async () => {
    const row = (n: number): string => `('x${n}', 'mer_9', 'testnet', NULL, NULL, NULL, NULL, 0, '{}')`
    sql(`INSERT INTO ${table} VALUES ${Array.from({ length: 2_500 }, (_, n) => row(n)).join()}`)
    const { differing, differences } = await rebuild()
    expect([differing, differences.length]).toEqual([2_500, 20])
  })

  it('takes further appends, and is found as before, on connections that were open all the time', async () => {
    const page = log.store.reader.prepare(`SELECT id FROM ${table} WHERE merchant_id = ? ORDER BY id`)
    const before = page.all('mer_1')
    for (const _ of [1, 2, 3]) {
      await rebuild()
      await write(log, fc.sample(anyHistory, { numRuns: 1, seed: 7 }).flat())
    }
    expect(page.all('mer_1')).toEqual(before)
    expect(await rebuild({ compareOnly: true })).toMatchObject({ differing: 0, rows: before.length })
  })

  it('has the indexes that a new table has, each once, however often it is rebuilt', async () => {
    const indexes = () =>
      log.store.reader
        .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL`)
        .all()
        .map((index) => String(index.sql).replace(/^CREATE INDEX \w+ ON \S+ /, ''))
        .sort()
    const fresh = indexes()
    for (const _ of [1, 2, 3]) {
      await rebuild()
      for (const { create } of inlineProjections) create(log.store.writer)
      expect(indexes()).toEqual(fresh)
    }
    expect(fresh.length).toBe(6)
  })

  it('of a new version is built beside the old one, and is caught up with when it is opened', async () => {
    const old = rowsIn(log.store.reader, table)
    expect(await rebuild({}, newer)).toMatchObject({
      version: newer.version,
      compared: false,
      differing: 0,
      switched: true,
    })
    expect([rowsIn(log.store.reader, table), rowsIn(log.store.reader, next)]).toEqual([old, old])
    expect(checkpoints()).toEqual([
      { version: payments.version, position: log.store.logHead().position },
      { version: newer.version, position: log.store.logHead().position },
    ])
  })

  it('is compared with the live one where that is, and goes on to the end of the log', async () => {
    await rebuild({}, newer)
    const behind = log.store.logHead().position
    await write(log, fc.sample(anyHistory, { numRuns: 3, seed: 5 }).flat())
    const end = log.store.logHead().position
    const live = rowsIn(log.store.reader, next)
    expect(await rebuild({ compareOnly: true }, newer)).toMatchObject({ differing: 0, switched: false })
    expect(rowsIn(log.store.reader, next)).toEqual(live)
    expect(await rebuild({}, newer)).toMatchObject({ compared: true, differing: 0, switched: true })
    expect(rowsIn(log.store.reader, next)).toEqual(rowsIn(log.store.reader, table))
    expect([behind < end, checkpoints()[1]]).toEqual([true, { version: newer.version, position: end }])
  })

  it('lets the newest of the older versions stay, and those before it go', async () => {
    await rebuild({}, newer)
    expect(tablesLike(log.store.reader, 'payments_%')).toEqual([table, next])
    await rebuild({ compareOnly: true }, newest)
    expect(tablesLike(log.store.reader, 'payments_%')).toEqual([table, next])
    await rebuild({}, newest)
    expect(tablesLike(log.store.reader, 'payments_%')).toEqual([next, third])
    expect(checkpoints().map(({ version }) => version)).toEqual([newer.version, newest.version])
  })

  it('is built anew where the live table or its checkpoint is gone', async () => {
    const live = rowsIn(log.store.reader, table)
    sql(`DROP TABLE ${table}`)
    expect(await rebuild()).toMatchObject({ compared: false, switched: true })
    expect(rowsIn(log.store.reader, table)).toEqual(live)
    sql(`DELETE FROM inline_projections WHERE name = 'payments'; UPDATE ${table} SET status = 'forged'`)
    expect(await rebuild()).toMatchObject({ compared: false, switched: true })
    expect(rowsIn(log.store.reader, table)).toEqual(live)
  })

  it('leaves everything as it was where the log ends before the live table or holds what cannot be folded', async () => {
    const before = allRows(log.store.reader)
    sql("UPDATE inline_projections SET position = position + 1 WHERE name = 'payments'")
    await expect(rebuild()).rejects.toMatchObject({ name: 'AlteredLog' })
    sql("UPDATE inline_projections SET position = position - 1 WHERE name = 'payments'")
    const broken = { ...payments, open: unfoldable, openMany: unfoldable }
    await expect(rebuild({}, broken)).rejects.toThrow('it cannot be folded')
    expect(allRows(log.store.reader)).toEqual(before)
    expect(tablesLike(log.store.reader, '%rebuilt%')).toEqual([])
  })

  it('tells truly how far it is', async () => {
    const seen: Array<Progress> = []
    const { events, rows } = await rebuild({ onProgress: (progress) => seen.push(progress) }, payments, 7)
    const { count } = log.store.reader
      .prepare("SELECT count(*) AS count FROM events WHERE stream LIKE 'payment-%'")
      .get() ?? { count: null }
    expect([events, rows]).toEqual([count, rowsIn(log.store.reader, table).length])
    expect(seen.every(({ all }) => all === events)).toBe(true)
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((one, other) => one - other))
    expect(seen.at(-1)).toEqual({ done: events, all: events, comparedRows: rows })
    const position = (done: number) =>
      Number(
        log.store.reader
          .prepare("SELECT position FROM events WHERE stream LIKE 'payment-%' ORDER BY position LIMIT 1 OFFSET ?")
          .get(done)?.position,
      )
    const building = seen.filter(({ comparedRows, done }) => comparedRows === 0 && done < events)
    expect(building.filter(({ done }, batch) => position(done) <= (batch + 1) * 7)).toEqual([])
    expect(building.length).toBeGreaterThan(3)
  })

  it('is the same though others append while it is built', async () => {
    const more = fc.sample(anyHistory, { numRuns: 4, seed: 9 })
    let appending = Promise.resolve()
    sql(`UPDATE ${table} SET status = 'forged'`)
    const onProgress = (): void => {
      const history = more.pop()
      if (history !== undefined) appending = appending.then(() => write(log, history))
    }
    const rebuilt = await rebuild({ onProgress }, payments, 7)
    await appending
    expect(rebuilt.differing).toBeGreaterThan(0)
    expect(await rebuild({ compareOnly: true })).toMatchObject({ differing: 0 })
  })
})

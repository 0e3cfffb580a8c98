import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import { appendAt, read, readLog, sampleEvent } from '../conformance/sample.ts'
import { NewerSchema } from '../newer-schema.ts'
import { noEvents } from '../port.ts'
import { openDatabase } from './database.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'
import { verify } from './verify.ts'

const open = (path: string, readOnly = false): SqliteEventStore =>
  sqliteEventStore({ path, clock: () => 1, projections: [], readOnly })

const pageSize = 4_096

/** Writes and closes a log of 200 events in 20 streams, so that the file holds all of it. */
const writeLog = async (path: string): Promise<void> => {
  const store = open(path)
  const ids = Array.from({ length: 10 }, (_, n) => `${n} ${'x'.repeat(300)}`)
  await Promise.all(Array.from({ length: 20 }, (_, n) => appendAt(store, `s-${n}`, noEvents, ids)))
  store.close()
}

/** The page numbers of a table's rows, in order. */
const leavesOf = (path: string, table: string): ReadonlyArray<number> => {
  const sql = openDatabase(path, { durability: 'full', readOnly: true })
  const rows = sql.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path").all(table)
  sql.close()
  return rows.map(({ pageno }) => Number(pageno))
}

const tear = (path: string, page: number): void => {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize)
  closeSync(file)
}

describe('the file of an event store', () => {
  let file: ReturnType<typeof temporaryFile>
  beforeEach(() => {
    file = temporaryFile()
  })
  afterEach(() => file.remove())

  it("a store's file is in WAL mode and syncs each commit", () => {
    const store = open(file.path)
    const pragma = (name: string): unknown => store.writer.prepare(`PRAGMA ${name}`).get()?.[name]
    expect([pragma('synchronous'), pragma('journal_mode')]).toEqual([2, 'wal'])
    expect(store.writer.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5_000 })
    store.close()
  })

  it("a closed store's file holds the whole log", async () => {
    await writeLog(file.path)
    expect(existsSync(`${file.path}-wal`)).toBe(false)
    const store = open(file.path)
    expect((await readLog(store)).length).toBe(200)
    store.close()
  })

  it('refuses a file written by a newer release', () => {
    open(file.path).close()
    const sql = openDatabase(file.path, { durability: 'full' })
    sql.execute('PRAGMA user_version = 3')
    sql.close()
    expect(() => open(file.path)).toThrow(new NewerSchema(3, 2))
  })

  it('a file opened read-only can be read but not written', async () => {
    await writeLog(file.path)
    const store = open(file.path, true)
    const { head, events } = await read(store, 's-1')
    expect(events.length).toBe(10)
    const outcome = await store.append('s-1', head, [sampleEvent('a')])()
    expect(outcome).toMatchObject({ left: { _tag: 'StoreUnavailable', cause: { code: 'SQLITE_READONLY' } } })
    store.close()
  })

  it('opening read-only does not create a file', () => {
    expect(() => open(file.path, true)).toThrow('unable to open database file')
    expect(existsSync(file.path)).toBe(false)
  })

  it('a torn page gives a clear failure, and verification names its events', async () => {
    await writeLog(file.path)
    const [page = 0] = leavesOf(file.path, 'events').slice(3, 4)
    tear(file.path, page)
    const store = open(file.path)
    const slices = await Promise.all(Array.from({ length: 20 }, (_, n) => store.readStream(`s-${n}`)()))
    const failed = slices.flatMap((slice, n) => (E.isLeft(slice) ? [{ stream: `s-${n}`, tag: slice.left._tag }] : []))
    const { ok, events, problems } = await verify(file.path)
    const unreadable = problems.filter(({ problem }) => problem.startsWith('cannot be read, at position'))
    expect(ok).toBe(false)
    expect(unreadable.length).toBeGreaterThan(0)
    expect(events + unreadable.length).toBe(200)
    expect(unreadable.every(({ stream, revision }) => stream !== null && revision !== null)).toBe(true)
    expect(failed).toEqual(
      [...new Set(unreadable.map(({ stream }) => stream))].map((stream) => ({ stream, tag: 'StoreUnavailable' })),
    )
    store.close()
  })

  it.each([
    [0, undefined],
    [4, undefined],
    [4, 9n],
  ])('a missing event %s of a stream gives a clear failure', async (revision, from) => {
    await writeLog(file.path)
    const store = open(file.path)
    store.writer.prepare("DELETE FROM events WHERE stream = 's-1' AND revision = ?").run(revision)
    const cause = new AlteredLog(`Event ${revision} of s-1 is missing`)
    const slice = await store.readStream('s-1', from, from === undefined ? 'forwards' : 'backwards')()
    expect(slice).toEqual(E.left({ _tag: 'StoreUnavailable', cause }))
    store.close()
  })

  it('verification reaches the end despite torn index pages', async () => {
    await writeLog(file.path)
    for (const page of leavesOf(file.path, 'events_by_stream')) tear(file.path, page)
    const { ok, events, problems } = await verify(file.path)
    expect({ ok, events, streams: [...new Set(problems.map(({ stream }) => stream))] }).toEqual({
      ok: false,
      events: 200,
      streams: [null],
    })
  })

  it.each([
    ['is cut off in the middle', (path: string) => truncateSync(path, 20 * pageSize)],
    ['has a torn first page', (path: string) => tear(path, 1)],
    ['is no database', (path: string) => writeFileSync(path, 'a'.repeat(10_000))],
    ['is empty', (path: string) => writeFileSync(path, '')],
  ])('verification reports a problem instead of crashing where the file %s', async (_, damage) => {
    await writeLog(file.path)
    damage(file.path)
    const { ok, problems } = await verify(file.path)
    expect({ ok, hasProblems: problems.length > 0 }).toEqual({ ok: false, hasProblems: true })
  })

  it('verification reports a missing file', async () => {
    expect(await verify(file.path)).toEqual({
      ok: false,
      events: 0,
      head: null,
      problems: [{ stream: null, revision: null, problem: 'the file cannot be read: unable to open database file' }],
    })
  })

  it.each([
    ['the events were dropped', 'DROP TABLE events', 'no such table: events'],
    ['a column was dropped', 'ALTER TABLE events DROP COLUMN recorded_at', 'no such column: recorded_at'],
    ['a column was renamed', 'ALTER TABLE events RENAME COLUMN data TO body', 'no such column: data'],
  ])('verification reports a problem where %s, in a file and an open database alike', async (_, change, problem) => {
    await writeLog(file.path)
    const sql = openDatabase(file.path, { durability: 'full' })
    sql.execute(change)
    const found = {
      ok: false,
      events: 0,
      head: null,
      problems: [{ stream: null, revision: null, problem: `the file cannot be read: ${problem}` }],
    }
    expect(await verify(sql)).toEqual(found)
    sql.close()
    expect(await verify(file.path)).toEqual(found)
  })

  it.each([
    ['the index was dropped', 'DROP INDEX events_by_stream', 'file: no such index: events_by_stream'],
    ['the projections were dropped', 'DROP TABLE inline_projections', 'file: no such table: inline_projections'],
  ])('verification reaches the end where %s', async (_, change, problem) => {
    await writeLog(file.path)
    const sql = openDatabase(file.path, { durability: 'full' })
    const { head } = await verify(sql)
    sql.execute(change)
    sql.close()
    const problems = [{ stream: null, revision: null, problem }]
    expect(await verify(file.path)).toEqual({ ok: false, events: 200, head, problems })
  })

  it('a log can be verified while it is written, up to its head at the start', async () => {
    await writeLog(file.path)
    const store = open(file.path)
    const head = store.logHead()
    const verifying = verify(file.path)
    await appendAt(store, 's-new', noEvents, ['a'])
    expect(await verifying).toEqual({ ok: true, events: 200, problems: [], head })
    expect(await verify(file.path, { expected: [head, store.logHead()] })).toMatchObject({ ok: true, events: 201 })
    store.close()
  })

  it('secure deletion leaves no trace of deleted text', () => {
    const sql = openDatabase(file.path, { durability: 'full', secureDelete: true })
    sql.execute("CREATE TABLE keys (key TEXT) STRICT; INSERT INTO keys VALUES ('a secret key')")
    sql.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(readFileSync(file.path).includes('a secret key')).toBe(true)
    sql.execute('DELETE FROM keys; PRAGMA wal_checkpoint(TRUNCATE)')
    expect(readFileSync(file.path).includes('a secret key')).toBe(false)
    sql.close()
  })
})

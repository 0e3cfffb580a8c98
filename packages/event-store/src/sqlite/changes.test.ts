import { setImmediate as nextCallback } from 'node:timers/promises'
import { appendAt, sampleEvent } from '../conformance/sample.ts'
import type { InlineProjection } from '../inline-projection.ts'
import { noEvents } from '../port.ts'
import type { AppendListener } from './changes.ts'
import { oncePerCallback } from './once-per-callback.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { startAppending, temporaryFile } from './testing/process.ts'

describe('the changes of a file', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: SqliteEventStore
  const others: SqliteEventStore[] = []
  const open = (): SqliteEventStore => sqliteEventStore({ path: file.path, clock: () => 1, projections: [] })
  const openOther = (): SqliteEventStore => {
    const other = open()
    others.push(other)
    return other
  }
  beforeEach(() => {
    file = temporaryFile()
    store = open()
  })
  afterEach(() => {
    for (const each of [...others.splice(0), store]) each.close()
    file.remove()
  })
  /** Whether this work counts. */
  const isCounted = async (work: () => unknown): Promise<boolean> => {
    const before = store.changes.count()
    await work()
    return store.changes.count() !== before
  }

  it('counts no appends of the store, and tells each that is written, from where, once', async () => {
    const told: Array<Parameters<AppendListener>> = []
    store.changes.onAppend((...append) => told.push(append))
    await appendAt(store, 's-0', noEvents, ['warm'])
    told.splice(0)
    const at = store.changes.count()
    const one = await store.append('s-1', noEvents, [sampleEvent('one')])()
    const again = store.append('s-1', noEvents, [sampleEvent('one')])()
    const conflict = store.append('s-1', noEvents, [sampleEvent('two')])()
    await Promise.all([again, conflict])
    expect(told).toEqual([['s-1', noEvents, (one as { right: unknown }).right, at]])
    expect(store.changes.count()).toBe(at)
  })

  it('counts what is written through the writing connection, and not what is written beside the log', async () => {
    expect(await isCounted(() => store.writer.execute('CREATE TABLE a (id TEXT) STRICT'))).toBe(true)
    expect(await isCounted(() => store.writer.prepare("INSERT INTO a VALUES ('a')").run())).toBe(true)
    expect(await isCounted(() => store.writer.prepare("INSERT INTO a VALUES ('b') RETURNING id").all())).toBe(true)
    expect(await isCounted(() => store.beside.prepare("INSERT INTO a VALUES ('c')").run())).toBe(false)
    expect(await isCounted(() => undefined)).toBe(false)
  })

  it('counts appends of another connection at once', async () => {
    const other = openOther()
    expect(await isCounted(() => appendAt(other, 's-1', noEvents, ['one']))).toBe(true)
    expect(await isCounted(() => other.writer.execute('CREATE TABLE a (id TEXT) STRICT'))).toBe(true)
  })

  it('counts what an append of the store brings the projections from appends that were made without them', async () => {
    const seen: InlineProjection = {
      name: 'seen',
      version: 1,
      create: (sql) => sql.execute('CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) STRICT'),
      prepare: (sql) => {
        const insert = sql.prepare('INSERT INTO seen VALUES (?)')
        return ({ id }) => void insert.run(id)
      },
    }
    const projecting = sqliteEventStore({ path: file.path, clock: () => 1, projections: [seen] })
    others.push(projecting)
    await appendAt(projecting, 's-1', noEvents, ['one'])
    await appendAt(store, 's-2', noEvents, ['two'])
    const seenByOthers = projecting.changes.count()
    await appendAt(projecting, 's-3', noEvents, ['three'])
    const caughtUp = projecting.changes.count()
    expect(caughtUp).toBeGreaterThan(seenByOthers)
    await appendAt(projecting, 's-4', noEvents, ['four'])
    expect(projecting.changes.count()).toBe(caughtUp)
  })

  it('lets a memory that heeds it know each append of another process as soon as it is acknowledged', async () => {
    const writer = startAppending(file.path, 'storm', 'one', '200')
    const select = store.reader.prepare('SELECT id FROM events')
    let known = { at: Number.NaN, ids: new Set<unknown>() }
    let acknowledged: ReadonlyArray<string> = []
    while (acknowledged.length < 200) {
      await nextCallback()
      acknowledged = writer.acknowledged()
      const at = store.changes.count()
      if (at !== known.at) known = { at, ids: new Set(select.all().map(({ id }) => id)) }
      expect(acknowledged.filter((id) => !known.ids.has(id))).toEqual([])
    }
    expect(await writer.ended).toBe(0)
  })
})

describe('what a file is asked once per callback', () => {
  let asked = 0
  const ask = oncePerCallback(() => ++asked)
  beforeEach(() => nextCallback())

  it('is asked once by all that a callback leads to, and again in the next one', async () => {
    const first = ask()
    await Promise.resolve()
    const afterPromise = ask()
    expect(afterPromise).toBe(first)
    await nextCallback()
    expect(ask()).toBe(first + 1)
  })

  it('is asked again after any other statement of the process, and not after another question', () => {
    const file = temporaryFile()
    const store = sqliteEventStore({ path: file.path, clock: () => 1, projections: [] })
    const first = ask()
    store.beside.execute('CREATE TABLE a (id TEXT) STRICT')
    expect([ask(), ask()]).toEqual([first + 1, first + 1])
    store.reader.prepare('SELECT id FROM a').all()
    expect([ask(), ask()]).toEqual([first + 2, first + 2])
    store.changes.count()
    expect(ask()).toBe(first + 2)
    store.close()
    file.remove()
  })
})

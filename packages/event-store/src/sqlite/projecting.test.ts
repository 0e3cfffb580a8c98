import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { appendAt, readLog } from '../conformance/sample.ts'
import type { InlineProjection } from '../inline-projection.ts'
import { noEvents } from '../port.ts'
import { eventsPerTurn } from '../testing/events-per-turn.ts'
import { buildProjections } from './build-projections.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'

/** A projection of every event's id and position, in a separate table per version. */
const listing = (version: number): InlineProjection => ({
  name: 'listing',
  version,
  create: (sql) => sql.execute(`CREATE TABLE IF NOT EXISTS listing_${version} (position INTEGER, id TEXT) STRICT`),
  prepare: (sql) => {
    const insert = sql.prepare(`INSERT INTO listing_${version} VALUES (?, ?)`)
    return ({ position, id }) => {
      insert.run(position, id)
    }
  },
})

const listed = (store: SqliteEventStore, version: number): ReadonlyArray<unknown> =>
  store.reader
    .prepare(`SELECT position, id FROM listing_${version} ORDER BY rowid`)
    .all()
    .map(({ position, id }) => `${position} ${id}`)

const marks = (store: SqliteEventStore) =>
  store.reader.prepare('SELECT name, version, position FROM inline_projections ORDER BY name, version').all()

const expected = (log: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> =>
  log.map(({ position, id }) => `${position} ${id}`)

describe('inline projections', () => {
  const file = temporaryFile()
  const stores: SqliteEventStore[] = []
  let path = ''
  let files = 0
  const open = (...projections: ReadonlyArray<InlineProjection>): SqliteEventStore => {
    const store = sqliteEventStore({ path, clock: () => 1, projections })
    stores.push(store)
    return store
  }
  beforeEach(() => {
    files += 1
    path = `${file.path}-${files}`
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })
  afterAll(file.remove)

  it('an inline projection holds each event once it is appended', async () => {
    const store = open(listing(1))
    await appendAt(store, 's-1', noEvents, ['a', 'b'])
    expect(listed(store, 1)).toEqual(['1 a', '2 b'])
  })

  it('building projections reads the log once for all, and leaves other work a turn after at most a thousand events', async () => {
    const log = open()
    let head = noEvents
    for (let batch = 0; batch < 5; batch += 1)
      head = await appendAt(
        log,
        's-1',
        head,
        Array.from({ length: 700 }, (_, n) => `${batch}-${n}`),
      )
    const [turns, applied] = [eventsPerTurn(), { one: 0, two: 0 }]
    const counting = (name: 'one' | 'two'): InlineProjection => ({
      name,
      version: 1,
      create: () => {},
      prepare: () => () => {
        applied[name] += 1
        if (name === 'one') turns.count()
      },
    })
    await buildProjections(path, [counting('one'), counting('two'), listing(1)])
    expect(applied).toEqual({ one: 3_500, two: 3_500 })
    expect(turns.most()).toBe(1_000)
    expect(listed(open(listing(1)), 1)).toEqual(expected(await readLog(log)))
  })

  it('an inline projection sees the same event as readers', async () => {
    const seen: RecordedEvent[] = []
    const watching = {
      name: 'watching',
      version: 1,
      create: () => {},
      prepare: () => (event: RecordedEvent) => void seen.push(event),
    }
    const store = open(watching)
    await appendAt(store, 's-1', noEvents, ['a', 'b'])
    expect(seen).toEqual(await readLog(store))
  })

  it('a new projection, or a new version beside the old one, catches up with the log', async () => {
    const store = open()
    let head = noEvents
    const many = Array.from({ length: 700 }, (_, n) => `${n}`)
    for (const part of [1, 2, 3])
      head = await appendAt(
        store,
        's-1',
        head,
        many.map((id) => `${part}-${id}`),
      )
    store.close()
    const first = open(listing(1))
    const log = await readLog(first)
    expect(listed(first, 1)).toEqual(expected(log))
    first.close()
    const second = open(listing(2))
    expect(listed(second, 2)).toEqual(expected(log))
    expect(listed(second, 1)).toEqual(expected(log))
  })

  it('an append moves the marks of its own projections alone', async () => {
    const head = await appendAt(open(listing(1)), 's-1', noEvents, ['a'])
    await appendAt(open(listing(2)), 's-1', head, ['b'])
    expect(marks(open())).toEqual([
      { name: 'listing', version: 1, position: 1 },
      { name: 'listing', version: 2, position: 2 },
    ])
  })

  it('an append is refused, and moves no mark, where the mark of one of its projections was taken by that of another', async () => {
    const store = open(listing(1))
    const head = await appendAt(store, 's-1', noEvents, ['a'])
    open().writer.execute('UPDATE inline_projections SET version = 3, position = 0')
    await expect(appendAt(store, 's-1', head, ['b'])).rejects.toThrow('AlteredLog')
    expect(marks(store)).toEqual([{ name: 'listing', version: 3, position: 0 }])
    expect(await readLog(store)).toHaveLength(1)
  })

  it('projections that stand at different places catch up together, and each applies every event once', async () => {
    const head = await appendAt(open(listing(1)), 's-1', noEvents, ['a', 'b'])
    const next = await appendAt(open(listing(2)), 's-1', head, ['c'])
    await appendAt(open(), 's-1', next, ['d'])
    const store = open(listing(1), listing(2), listing(3))
    const all = expected(await readLog(store))
    expect([1, 2, 3].map((version) => listed(store, version))).toEqual([all, all, all])
  })

  it('a projection that takes many events at once is given those of a catch-up, and those of a commit', async () => {
    const log = open()
    const head = await appendAt(log, 's-1', noEvents, ['a', 'b'])
    const given: Array<ReadonlyArray<string>> = []
    const store = open({
      name: 'many',
      version: 1,
      create: () => {},
      prepare:
        () =>
        ({ id }) =>
          void given.push([id]),
      prepareMany: () => (events) => void given.push(events.map(({ id }) => id)),
    })
    await Promise.all([appendAt(store, 's-1', head, ['c']), appendAt(store, 's-2', noEvents, ['d', 'e'])])
    expect(given).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })

  it('reopening a log does not apply projections again', async () => {
    const store = open(listing(1))
    await appendAt(store, 's-1', noEvents, ['a'])
    store.close()
    expect(listed(open(listing(1)), 1)).toEqual(['1 a'])
  })

  it("projections catch up with other processes' appends before their own next append", async () => {
    const store = open(listing(1))
    const other = open()
    const head = await appendAt(store, 's-1', noEvents, ['a'])
    const next = await appendAt(other, 's-1', head, ['b'])
    await appendAt(store, 's-1', next, ['c'])
    expect(listed(store, 1)).toEqual(['1 a', '2 b', '3 c'])
  })

  it('two processes with the same projections apply each event once', async () => {
    const [one, two] = [open(listing(1)), open(listing(1))]
    let head = noEvents
    for (const id of ['a', 'b', 'c', 'd']) {
      head = await appendAt(one, 's-1', head, [`${id}1`])
      head = await appendAt(two, 's-1', head, [`${id}2`])
    }
    expect(listed(one, 1)).toEqual(expected(await readLog(one)))
  })

  it('projections refuse a log shorter than their checkpoint', async () => {
    const store = open(listing(1))
    await appendAt(store, 's-1', noEvents, ['a', 'b'])
    store.writer.execute('DELETE FROM events WHERE position = 2')
    store.close()
    expect(() => open(listing(1))).toThrow(AlteredLog)
  })
})

import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { appendAt, expectOneGaplessOrder, readLog, sampleEvent } from '../conformance/sample.ts'
import type { InlineProjection } from '../inline-projection.ts'
import { type Alongside, noEvents } from '../port.ts'
import { changesOf } from '../sql-program.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'

/** Counts transactions in a write-ahead log: the last frame of each holds the file's size in its second word. */
const commitsIn = (walFile: string): number => {
  const wal = readFileSync(walFile)
  const frame = 24 + wal.readUInt32BE(8)
  let commits = 0
  for (let start = 32; start + frame <= wal.length; start += frame) if (wal.readUInt32BE(start + 4) !== 0) commits += 1
  return commits
}

const refusing: InlineProjection = {
  name: 'refusing',
  version: 1,
  create: (sql) => sql.execute('CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) STRICT'),
  prepare: (sql) => {
    const insert = sql.prepare('INSERT INTO seen VALUES (?)')
    return ({ id }) => {
      insert.run(id)
      if (id.startsWith('refused')) throw new Error(`no ${id}`)
    }
  },
}

const tags = (outcomes: ReadonlyArray<E.Either<{ readonly _tag: string }, unknown>>): ReadonlyArray<string> =>
  outcomes.map((outcome) => (E.isRight(outcome) ? 'appended' : outcome.left._tag))

describe('a group commit', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: SqliteEventStore
  const open = (): SqliteEventStore => sqliteEventStore({ path: file.path, clock: () => 1, projections: [refusing] })
  beforeEach(() => {
    file = temporaryFile()
    store = open()
    store.writer.execute('CREATE TABLE claims (id TEXT PRIMARY KEY) STRICT')
  })
  afterEach(() => {
    store.close()
    file.remove()
  })
  const ids = (table: 'seen' | 'claims'): ReadonlyArray<unknown> =>
    store.reader
      .prepare(`SELECT id FROM ${table} ORDER BY id`)
      .all()
      .map(({ id }) => id)
  const claim = (id: string): Alongside =>
    function* () {
      yield* changesOf('INSERT INTO claims VALUES (?)', id)()
    }

  it('appends that arrive together share one transaction', async () => {
    const before = commitsIn(`${file.path}-wal`)
    const appends = Array.from({ length: 64 }, (_, n) => store.append(`sample-${n}`, noEvents, [sampleEvent(`${n}`)])())
    expect(tags(await Promise.all(appends))).toEqual(Array.from({ length: 64 }, () => 'appended'))
    expect(commitsIn(`${file.path}-wal`) - before).toBe(1)
  })

  it('callers answered by one commit can join the next', async () => {
    const before = commitsIn(`${file.path}-wal`)
    const rounds = async (caller: number): Promise<void> => {
      let head = noEvents
      for (let round = 0; round < 5; round += 1) {
        head = await appendAt(store, `s-${caller}`, head, [`${caller}-${round}`])
        // Lets callers take a varying number of turns between two commands.
        for (let step = 0; step < caller; step += 1) await Promise.resolve()
      }
    }
    await Promise.all(Array.from({ length: 64 }, (_, caller) => rounds(caller)))
    expect(commitsIn(`${file.path}-wal`) - before).toBe(5)
  })

  it('a conflict or a refusal by a projection or alongside write affects only its append', async () => {
    const outcomes = await Promise.all([
      store.append('s-1', noEvents, [sampleEvent('a')], claim('a'))(),
      store.append('s-1', noEvents, [sampleEvent('conflicting')], claim('conflicting'))(),
      store.append('s-2', noEvents, [sampleEvent('b'), sampleEvent('refused')], claim('refused'))(),
      store.append('s-2', noEvents, [sampleEvent('c')], claim('a'))(),
      store.append('s-2', noEvents, [sampleEvent('d')], claim('d'))(),
    ])
    expect(tags(outcomes)).toEqual(['appended', 'WrongExpectedRevision', 'AppendRefused', 'AppendRefused', 'appended'])
    expect(outcomes[2]).toEqual(E.left({ _tag: 'AppendRefused', cause: new Error('no refused') }))
    const log = await readLog(store)
    expectOneGaplessOrder(log)
    expect(log.map(({ id }) => id)).toEqual(['a', 'd'])
    expect(ids('seen')).toEqual(['a', 'd'])
    expect(ids('claims')).toEqual(['a', 'd'])
  })

  it('an alongside write happens once, even where the append is a repeat or empty', async () => {
    const append = store.append('s-1', noEvents, [sampleEvent('a')], claim('a'))
    const first = await append()
    expect(await append()).toEqual(first)
    const nothing = await store.append('s-2', noEvents, [], claim('nothing'))()
    expect(nothing).toEqual(E.right({ head: noEvents, position: 0n, events: [] }))
    expect(ids('claims')).toEqual(['a', 'nothing'])
  })

  it('appends of one group may build on one another', async () => {
    const first = await appendAt(store, 's-1', noEvents, ['a'])
    const outcomes = await Promise.all([
      store.append('s-1', first, [sampleEvent('b')])(),
      store.append('s-1', first, [sampleEvent('b')])(),
      store.append('s-1', first, [sampleEvent('c')])(),
    ])
    expect(tags(outcomes)).toEqual(['appended', 'appended', 'WrongExpectedRevision'])
    expect(outcomes[1]).toEqual(outcomes[0])
  })

  it('positions keep their order when the clock goes back', async () => {
    store.close()
    let now = 1_000
    store = sqliteEventStore({ path: file.path, clock: () => (now -= 10), projections: [] })
    const head = await appendAt(store, 's-1', noEvents, ['a'])
    await appendAt(store, 's-1', head, ['b'])
    expect((await readLog(store)).map(({ id, position, recordedAt }) => ({ id, position, recordedAt }))).toEqual([
      { id: 'a', position: 1n, recordedAt: 990 },
      { id: 'b', position: 2n, recordedAt: 980 },
    ])
  })

  it('pending appends are written before the store closes, and none after', async () => {
    const waiting = store.append('s-1', noEvents, [sampleEvent('a')])()
    store.close()
    expect(tags([await waiting])).toEqual(['appended'])
    expect(tags([await store.append('s-1', noEvents, [sampleEvent('b')])()])).toEqual(['StoreUnavailable'])
    store = open()
    expect((await readLog(store)).map(({ id }) => id)).toEqual(['a'])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, InlineProjection, SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { openLog } from '../testing/log.ts'
import { OtherLog } from './failures.ts'
import { createProjector, type Projector } from './projector.ts'

/** Notes every event that it is given, as often as it is given it. */
const noting = (version = 1, refuses: (event: RecordedEvent) => boolean = () => false): InlineProjection => ({
  name: 'noted',
  version,
  create: (sql) => sql.execute(`CREATE TABLE IF NOT EXISTS noted_${version} (event TEXT NOT NULL) STRICT`),
  prepare: (sql) => {
    const insert = sql.prepare(`INSERT INTO noted_${version} VALUES (?)`)
    return (event) => {
      insert.run(event.id)
      if (refuses(event)) throw new RangeError('not this one')
    }
  },
})
const noted = (sql: SqlDatabase, version = 1): ReadonlyArray<string> =>
  sql
    .prepare(`SELECT event FROM noted_${version} ORDER BY rowid`)
    .all()
    .map(({ event }) => String(event))

const something = { type: 'Changed', schemaVersion: 1, data: {} }
const idsIn = async (store: EventStore): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for await (const { id } of store.readAll(0n)) ids.push(id)
  return ids
}
const endOf = async (store: EventStore): Promise<bigint> => {
  let end = 0n
  for await (const { position } of store.readAll(0n)) end = position
  return end
}
const caughtUp = E.right(undefined)
const longMs = 20_000
const progressed = (events: number, lag: number, defect: string | null = null) => ({
  events,
  lag,
  models: [{ name: 'noted', version: 1, lag }],
  defect,
})

describe('read models beside a log', () => {
  let folder: string
  let log: ReturnType<typeof openLog>
  let databases: Array<SqlDatabase>
  let projectors: Array<Projector>
  const database = (): SqlDatabase => {
    const opened = openDatabase(join(folder, 'read-models.db'), { durability: 'relaxedLosesCommitsOnPowerLoss' })
    databases.push(opened)
    return opened
  }
  const projectorOn = (sql: SqlDatabase, store: EventStore = log.store, projections = [noting()]): Projector => {
    const projector = createProjector(store, sql, projections)
    projectors.push(projector)
    return projector
  }
  const write = (events: number, stream = 'thing-1') =>
    log.append(
      stream,
      Array.from({ length: events }, () => something),
    )
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-feed-'))
    log = openLog([])
    databases = []
    projectors = []
  })
  afterEach(async () => {
    for (const projector of projectors) await projector.close()
    for (const sql of databases) sql.close()
    log.store.close()
    rmSync(folder, { recursive: true })
  })

  it('hold what the log held before, and what is appended later', async () => {
    const sql = database()
    await write(3)
    const projector = projectorOn(sql)
    expect(await projector.begin()).toEqual(caughtUp)
    expect(noted(sql)).toEqual(await idsIn(log.store))
    await write(2, 'thing-2')
    await projector.reached(await endOf(log.store), longMs)
    expect(noted(sql)).toEqual(await idsIn(log.store))
  })

  it('are given each event once and in order, whoever starts, ends or catches up, and when', async () => {
    type Act = 'write' | 'restart' | 'catch up' | 'go on'
    const acts: fc.Arbitrary<ReadonlyArray<readonly [Act, number]>> = fc.array(
      fc.tuple(fc.constantFrom<Act>('write', 'write', 'restart', 'catch up', 'go on'), fc.nat({ max: 1 })),
      { maxLength: 30 },
    )
    let runs = 0
    const story = async (told: ReadonlyArray<readonly [Act, number]>): Promise<void> => {
      const path = join(folder, `story-${runs++}.db`)
      const own = openLog([])
      const sql = [0, 1].map(() => openDatabase(path, { durability: 'relaxedLosesCommitsOnPowerLoss' }))
      const start = async (who: number): Promise<Projector> => {
        const projector = createProjector(own.store, sql[who] ?? database(), [noting()])
        expect(await projector.begin()).toEqual(caughtUp)
        return projector
      }
      const running = [await start(0), await start(1)]
      let streams = 0
      const pending: Array<Promise<unknown>> = []
      for (const [act, who] of told) {
        if (act === 'write') pending.push(own.append(`thing-${streams++}`, [something, something]))
        if (act === 'catch up') pending.push((running[who] ?? (await start(who))).catchUp())
        if (act === 'go on') await Promise.all(pending)
        if (act === 'restart') {
          await running[who]?.close()
          running[who] = await start(who)
        }
      }
      await Promise.all(pending)
      const end = await endOf(own.store)
      await Promise.all(running.map((projector) => projector.reached(end, longMs)))
      for (const each of sql) expect(noted(each)).toEqual(await idsIn(own.store))
      for (const projector of running) await projector.close()
      for (const each of sql) each.close()
      own.store.close()
    }
    await fc.assert(fc.asyncProperty(acts, story), { numRuns: 40, seed: 20_261_101 })
  }, 60_000)

  it('are left with whole commits by a projection that throws, and go on once it does not', async () => {
    const sql = database()
    await write(4)
    const third = (await idsIn(log.store))[2]
    let isMended = false
    const refusing = projectorOn(sql, log.store, [noting(1, ({ id }) => id === third && !isMended)])
    await expect(refusing.catchUp()).rejects.toMatchObject({
      name: 'ProjectionDefect',
      message: 'the read model noted cannot apply event 2 of thing-1',
      cause: expect.any(RangeError),
    })
    expect({ rows: noted(sql), progress: await refusing.progress() }).toEqual({
      rows: [],
      progress: E.right(progressed(0, 4, 'noted')),
    })
    isMended = true
    expect(await refusing.catchUp()).toEqual(caughtUp)
    expect(await refusing.progress()).toEqual(E.right(progressed(4, 0)))
    expect(noted(sql)).toEqual(await idsIn(log.store))
  })

  it('that take many events at once are given them one by one where they refuse some, to name the event', async () => {
    const sql = database()
    await write(4)
    const third = (await idsIn(log.store))[2]
    let isMended = false
    const single = noting(1, ({ id }) => id === third && !isMended)
    const many: InlineProjection = {
      ...single,
      prepareMany: (on) => {
        const apply = single.prepare(on)
        return (events) => events.forEach(apply)
      },
    }
    const projector = projectorOn(sql, log.store, [many])
    await expect(projector.catchUp()).rejects.toMatchObject({
      name: 'ProjectionDefect',
      message: 'the read model noted cannot apply event 2 of thing-1',
    })
    expect(noted(sql)).toEqual([])
    isMended = true
    expect(await projector.catchUp()).toEqual(caughtUp)
    expect(noted(sql)).toEqual(await idsIn(log.store))
  })

  it('take events that somebody else has read, each once', async () => {
    const sql = database()
    await write(3)
    const projector = createProjector(log.store, sql, [noting()])
    projectors.push(projector)
    const events: Array<RecordedEvent> = []
    for await (const event of log.store.readAll(0n)) events.push(event)
    projector.take(events.slice(0, 2))
    projector.take(events)
    expect(noted(sql)).toEqual(await idsIn(log.store))
    expect(await projector.progress()).toEqual(E.right(progressed(3, 0)))
  })

  it('of a new version begin with the first event, beside the old ones', async () => {
    const sql = database()
    await write(2)
    await projectorOn(sql).catchUp()
    await write(1, 'thing-2')
    expect(await projectorOn(sql, log.store, [noting(1), noting(2)]).catchUp()).toEqual(caughtUp)
    const all = await idsIn(log.store)
    expect([noted(sql, 1), noted(sql, 2)]).toEqual([all, all])
    const third = projectorOn(sql, log.store, [noting(1), noting(3)])
    const models = [
      { name: 'noted', version: 1, lag: 0 },
      { name: 'noted', version: 3, lag: 3 },
    ]
    expect(await third.progress()).toEqual(E.right({ events: 0, lag: 3, models, defect: null }))
  })

  it('are not mixed with another log', async () => {
    const sql = database()
    await write(2)
    await projectorOn(sql).catchUp()
    const other = openLog([])
    await expect(projectorOn(sql, other.store).begin()).rejects.toThrow(OtherLog)
    await other.append('thing-1', [something, something, something])
    await expect(projectorOn(sql, other.store).begin()).rejects.toThrow(OtherLog)
    other.store.close()
    expect(noted(sql)).toEqual(await idsIn(log.store))
  })

  it('say how many events they hold, and how many they lack', async () => {
    const projector = projectorOn(database())
    await write(3)
    await projector.catchUp()
    await write(2, 'thing-2')
    expect(await projector.progress()).toEqual(E.right(progressed(3, 2)))
  })

  it('are waited for no longer than was asked', async () => {
    const projector = projectorOn(database())
    await write(1)
    await projector.reached(await endOf(log.store), 10)
    expect(await projector.progress()).toEqual(E.right(progressed(0, 1)))
  })

  it('say that the log cannot be read, and follow it as soon as it can', async () => {
    const cause = new Error('the server is gone')
    let isGone = false
    const failing: EventStore = {
      ...log.store,
      readAll: async function* (...request) {
        if (isGone) throw cause
        yield* log.store.readAll(...request)
      },
      subscribe: async function* (...request) {
        for await (const event of log.store.subscribe(...request)) {
          if (isGone) throw cause
          yield event
        }
      },
    }
    const sql = database()
    const projector = projectorOn(sql, failing)
    await projector.begin()
    isGone = true
    await write(1)
    const unavailable = E.left({ _tag: 'StoreUnavailable', cause })
    expect([await projector.catchUp(), await projector.progress()]).toEqual([unavailable, unavailable])
    isGone = false
    await projector.reached(await endOf(log.store), longMs)
    expect(noted(sql)).toEqual(await idsIn(log.store))
  })
})

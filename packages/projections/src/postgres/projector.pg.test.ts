import { right } from '@quittance/domain/testing/outcomes'
import type { EventStore } from '@quittance/event-store'
import { type PostgresProjection, postgresEventStore } from '@quittance/event-store/postgres'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { OtherLog } from '../feed/failures.ts'
import type { Projector } from '../feed/projector.ts'
import { openLog, writingTo } from '../testing/log.ts'
import { postgresProjections } from './projections.ts'
import { postgresProjector } from './projector.ts'
import { everyEvent } from './testing/copied.ts'
import { noting } from './testing/noting.ts'
import { caughtUp, endOf, idsIn, longMs, projectorStage, several, something } from './testing/projector-stage.ts'

const stage = projectorStage()
const { openProjector, openSqliteLog, openPeerLog, noted } = stage

describe('read models of a log on a server, on PostgreSQL', () => {
  it('are given each event once and in order, whoever starts, ends or catches up, and when', async () => {
    type Act = 'write' | 'restart' | 'catch up' | 'go on'
    const acts: fc.Arbitrary<ReadonlyArray<readonly [Act, number]>> = fc.array(
      fc.tuple(fc.constantFrom<Act>('write', 'write', 'restart', 'catch up', 'go on'), fc.nat({ max: 1 })),
      { maxLength: 20 },
    )
    const story = async (told: ReadonlyArray<readonly [Act, number]>): Promise<void> => {
      const into = stage.cluster().newSchema()
      const own = openLog([])
      const start = async (): Promise<Projector> => {
        const { connectionString } = stage.cluster()
        const projector = await postgresProjector(own.store, { connectionString, schema: into }, [noting()])
        expect(await projector.begin()).toEqual(caughtUp)
        return projector
      }
      const running = await Promise.all([start(), start()])
      let streams = 0
      const pending: Array<Promise<unknown>> = []
      for (const [act, who] of told) {
        const one = running[who]
        if (act === 'write') pending.push(own.append(`thing-${streams++}`, several(2)))
        if (act === 'catch up') pending.push(one?.catchUp() ?? start())
        if (act === 'go on') await Promise.all(pending)
        if (act === 'restart') {
          await one?.close()
          running[who] = await start()
        }
      }
      await Promise.all(pending)
      const end = await endOf(own.store)
      await Promise.all(running.map((projector) => projector.reached(end, longMs)))
      expect(await noted(1, into)).toEqual(await idsIn(own.store))
      await Promise.all(running.map((projector) => projector.close()))
      own.store.close()
    }
    await fc.assert(fc.asyncProperty(acts, story), { numRuns: 20, seed: 20_261_126, endOnFailure: true })
  })

  it('are each applied once by two servers that follow the same log under load', async () => {
    const { store, other } = await openPeerLog()
    const [one, two] = [await openProjector(store), await openProjector(other)]
    await Promise.all([one.begin(), two.begin()])
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      const { append } = writingTo(lane % 2 === 0 ? store : other)
      for (let n = 0; n < 30; n += 1) await append(`thing-${lane}`, several(3))
    })
    await Promise.all(lanes)
    const end = await endOf(store)
    await Promise.all([one.reached(end, longMs), two.reached(end, longMs)])
    expect(await noted()).toEqual(await idsIn(store))
    expect(await one.progress()).toMatchObject(E.right({ events: 720, lag: 0 }))
  })

  it('are seen by a server that never projects, as soon as another has applied what it wrote', async () => {
    const { store, other } = await openPeerLog()
    const projecting = await openProjector(store)
    await projecting.begin()
    const onlyReading = await openProjector(other)
    const { append } = writingTo(other)
    for (let n = 1; n <= 20; n += 1) {
      await append('thing-1', [something])
      await onlyReading.reached(await endOf(other), longMs)
      expect(await noted()).toHaveLength(n)
    }
    expect(onlyReading.applied()).toBe(20)
  })

  it('are waited for no longer than was asked, even where the database is away', async () => {
    const own = await startCluster()
    const log = openSqliteLog()
    await log.append('thing-1', [something])
    const projector = await postgresProjector(log.store, { connectionString: own.connectionString }, [noting()])
    await projector.reached(1n, 10)
    expect(await projector.progress()).toMatchObject(E.right({ events: 0, lag: 1 }))
    await own.crash()
    await projector.reached(1n, 10)
    expect(await projector.catchUp()).toMatchObject(E.left({ _tag: 'StoreUnavailable' }))
    await own.start()
    expect(await projector.catchUp()).toEqual(caughtUp)
    await projector.reached(1n, longMs)
    await projector.close()
    await own.remove()
  })

  it('stop before the event that a projection cannot apply, and go on once it can', async () => {
    const log = openSqliteLog()
    await log.append('thing-1', several(4))
    const ids = await idsIn(log.store)
    let isMended = false
    const refuse = ({ id }: { readonly id: string }): void => {
      if (id === ids[2] && !isMended) throw new RangeError('not this one')
    }
    const refusing = await openProjector(log.store, [noting(1, refuse)])
    await expect(refusing.begin()).rejects.toMatchObject({
      name: 'ProjectionDefect',
      message: 'the read model noted cannot apply event 2 of thing-1',
      cause: expect.any(RangeError),
    })
    const models = [{ name: 'noted', version: 1, lag: 2 }]
    expect(await noted()).toEqual(ids.slice(0, 2))
    expect(await refusing.progress()).toEqual(E.right({ events: 2, lag: 2, models, defect: 'noted' }))
    isMended = true
    expect(await refusing.catchUp()).toEqual(caughtUp)
    expect(await refusing.progress()).toMatchObject(E.right({ events: 4, lag: 0, defect: null }))
    expect(await noted()).toEqual(ids)
  })

  it('name the one that throws, and not those that its failed statement makes fail', async () => {
    const log = openSqliteLog()
    await log.append('thing-1', several(2))
    const broken: PostgresProjection = {
      name: 'broken',
      version: 1,
      create: async () => undefined,
      apply: async (sql) => void (await sql.query('SELECT 1 / 0')),
    }
    const refusing = await openProjector(log.store, [...postgresProjections, noting(), broken, noting(2)])
    await expect(refusing.catchUp()).rejects.toMatchObject({ name: 'ProjectionDefect', model: 'broken' })
    expect([await noted(), await noted(2)]).toEqual([[], []])
  })

  it('of a new version begin with the first event, beside the old ones', async () => {
    const log = openSqliteLog()
    await log.append('thing-1', several(2))
    const old = await openProjector(log.store)
    await old.begin()
    const next = await openProjector(log.store, [noting(1), noting(2)])
    expect(await next.progress()).toMatchObject(
      E.right({
        events: 0,
        lag: 2,
        models: [
          { version: 1, lag: 0 },
          { version: 2, lag: 2 },
        ],
      }),
    )
    await next.begin()
    await log.append('thing-2', several(1))
    const end = await endOf(log.store)
    await Promise.all([old.reached(end, longMs), next.reached(end, longMs)])
    const all = await idsIn(log.store)
    expect([await noted(1), await noted(2)]).toEqual([all, all])
  })

  it('are not mixed with another log, or with those that appends to PostgreSQL write', async () => {
    const [log, other] = [openSqliteLog(), openSqliteLog()]
    await log.append('thing-1', several(2))
    right(await (await openProjector(log.store)).catchUp())
    await expect((await openProjector(other.store)).begin()).rejects.toThrow(OtherLog)
    await other.append('thing-1', several(3))
    await expect((await openProjector(other.store)).begin()).rejects.toThrow(OtherLog)
    expect(await noted()).toEqual(await idsIn(log.store))

    const [{ connectionString }, withLog] = [stage.cluster(), stage.cluster().newSchema()]
    const store = await postgresEventStore({ connectionString, schema: withLog, clock: () => 0, projections: [] })
    stage.closedLater(store.close)
    await expect(openProjector(log.store, [noting()], withLog)).rejects.toThrow(/This schema holds a log/)
  })

  it('are brought up again behind what a database holds that has lost its last commits', async () => {
    const log = openSqliteLog()
    for (let n = 0; n < 3; n += 1) await log.append(`thing-${n}`, several(2))
    const projector = await openProjector(log.store)
    await projector.begin()
    const [, , third] = await everyEvent(log.store)
    if (third === undefined) throw new Error('six events were written')
    await stage.cluster().sql(`WITH lost AS (DELETE FROM ${stage.schema()}.noted_1 WHERE place > 3)
      UPDATE ${stage.schema()}.feed_checkpoints SET position = 3, events = 3, revision = 0, hash = '${third.metadata.hash}'`)
    await log.append('thing-4', several(2))
    await projector.reached(await endOf(log.store), longMs)
    expect(await noted()).toEqual(await idsIn(log.store))
    expect(await projector.progress()).toMatchObject(E.right({ events: 8, lag: 0 }))
  })

  it('hold every event once after the server of the rows has crashed under load', async () => {
    const own = await startCluster()
    const log = openSqliteLog()
    const { connectionString } = own
    const projector = await postgresProjector(log.store, { connectionString, schema: 'own' }, [noting()])
    await projector.begin()
    for (let n = 0; n < 40; n += 1) await log.append(`thing-${n}`, several(5))
    await own.crash()
    for (let n = 40; n < 50; n += 1) await log.append(`thing-${n}`, several(5))
    await own.start()
    await projector.reached(await endOf(log.store), longMs)
    const rows = await own.sql('SELECT event FROM own.noted_1 ORDER BY place')
    expect(rows.map(({ event }) => event)).toEqual(await idsIn(log.store))
    await projector.close()
    await own.remove()
  })

  it('follow a log that could not be read for a while', async () => {
    const log = openSqliteLog()
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
    const projector = await openProjector(failing)
    await projector.begin()
    isGone = true
    await log.append('thing-1', [something])
    const unavailable = E.left({ _tag: 'StoreUnavailable', cause })
    expect([await projector.catchUp(), await projector.progress()]).toEqual([unavailable, unavailable])
    isGone = false
    await projector.reached(await endOf(log.store), longMs)
    expect(await noted()).toEqual(await idsIn(log.store))
  })
})

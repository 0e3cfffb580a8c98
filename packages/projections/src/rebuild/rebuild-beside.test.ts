import { right } from '@quittance/domain/testing/outcomes'
import type { InlineProjection, SqlDatabase } from '@quittance/event-store'
import { type EventStoreDb, eventStoreDb } from '@quittance/event-store/eventstoredb'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { createProjector, type Projector } from '../feed/projector.ts'
import { inlineProjections } from '../read-models.ts'
import { anyHistory, write } from '../testing/any-history.ts'
import { writingTo } from '../testing/log.ts'
import { temporaryFolder } from '../testing/process.ts'
import { allRows, rowsIn, tableOf, tablesLike, writerOf } from '../testing/tables.ts'
import { inlineProjection } from '../write-rows.ts'
import { modelNames, type Rebuilding, rebuild } from './rebuild.ts'
import type { Progress } from './rebuild-model.ts'

const table = tableOf('payments')

const histories = (numRuns: number, seed: number) => fc.sample(anyHistory, { numRuns, seed })
const deadlineMs = 5_000

describe('read models beside a log on a server', () => {
  const folder = temporaryFolder()
  const closers: Array<() => unknown> = []
  let peer: Peer
  let log: EventStoreDb
  let path = ''
  let files = 0
  beforeAll(async () => {
    peer = await startPeer({ path: ':memory:', port: 0 })
    log = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs })
    await write(writingTo(log), histories(6, 20_261_101).flat())
  })
  beforeEach(() => {
    files += 1
    path = folder.path(`read-models-${files}.db`)
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  afterAll(async () => {
    await log.close()
    await peer.stop()
    folder.remove()
  })
  const open = (file = path): SqlDatabase => {
    const database = openDatabase(file, { durability: 'relaxedLosesCommitsOnPowerLoss' })
    closers.push(database.close)
    return database
  }
  const follow = async (database: SqlDatabase, projections = inlineProjections): Promise<Projector> => {
    const projector = createProjector(log, database, projections)
    closers.push(projector.close)
    right(await projector.begin())
    return projector
  }
  const rebuilding = (changed: Partial<Rebuilding> = {}) =>
    rebuild({ path, log, models: null, compareOnly: false, onProgress: () => {}, ...changed })()
  const checkpoints = (database: SqlDatabase) => database.prepare('SELECT * FROM feed_checkpoints').all()

  it('are built again to the same rows and the same checkpoints, whose positions are exact', async () => {
    const database = open()
    await follow(database)
    const before = { rows: allRows(database), checkpoints: checkpoints(database) }
    const seen: Array<Progress> = []
    const rebuilt = right(await rebuilding({ onProgress: (progress) => seen.push(progress) }))
    expect({ rows: allRows(database), checkpoints: checkpoints(database) }).toEqual(before)
    expect(rebuilt.map(({ model, rows, version, ...found }) => [model, version, rows, found])).toEqual(
      Object.values(before.rows).map(({ length }, index) => [
        inlineProjections[index]?.name,
        inlineProjections[index]?.version,
        length,
        { events: expect.any(Number), compared: true, differing: 0, differences: [], switched: true },
      ]),
    )
    const events = Number(before.checkpoints[0]?.events)
    const all = events * inlineProjections.length
    expect(seen.filter((progress) => progress.all !== all || progress.done > all)).toEqual([])
    expect(seen.at(-1)).toEqual({
      model: modelNames.at(-1),
      done: all,
      all,
      comparedRows: Object.values(before.rows).flat().length,
    })
    expect(BigInt(String(before.checkpoints[0]?.position)) > 2n ** 64n).toBe(true)
  })

  it('are told apart row by row from what the log says, and healed', async () => {
    const database = open()
    await follow(database)
    const whole = allRows(database)
    const [changed, lost] = whole.payments ?? []
    database.execute(`UPDATE ${table} SET status = 'forged' WHERE id = '${changed?.id}'`)
    database.execute(`DELETE FROM ${table} WHERE id = '${lost?.id}'`)
    const damaged = allRows(database)
    const found = {
      differing: 2,
      differences: [
        { id: changed?.id, live: { ...changed, status: 'forged' }, rebuilt: changed },
        { id: lost?.id, live: null, rebuilt: lost },
      ],
    }
    expect(right(await rebuilding({ models: ['payments'], compareOnly: true }))).toMatchObject([
      { ...found, switched: false },
    ])
    expect(allRows(database)).toEqual(damaged)
    expect(right(await rebuilding({ models: ['payments'] }))).toMatchObject([{ ...found, switched: true }])
    expect(allRows(database)).toEqual(whole)
  })

  it('are healed while they are written, by one who follows on, and miss nothing', async () => {
    const database = open()
    const projector = await follow(database)
    database.execute(`UPDATE ${table} SET body = replace(body, ':', ': ')`)
    const forged = rowsIn(database, table).length
    let isDone = false
    let written = 0
    const writing = (async () => {
      for (let seed = 1; !isDone; seed += 1) {
        await write(writingTo(log), histories(1, seed).flat())
        written += 1
      }
    })()
    const rebuilt = right(await rebuilding())
    isDone = true
    await writing
    right(await projector.catchUp())
    const payments = rebuilt.find(({ model }) => model === 'payments')
    expect(payments).toMatchObject({ switched: true })
    expect([(payments?.differing ?? 0) > 0, (payments?.differing ?? 0) <= forged, written > 1]).toEqual([
      true,
      true,
      true,
    ])
    expect(rebuilt.flatMap(({ model, differing }) => (differing > 0 ? [model] : []))).toEqual(['payments'])
    const fresh = open(folder.path('fresh.db'))
    await follow(fresh)
    expect({ rows: allRows(database), checkpoints: checkpoints(database) }).toEqual({
      rows: allRows(fresh),
      checkpoints: checkpoints(fresh),
    })
  }, 60_000)

  it('of a newer version are built beforehand: who starts with them then goes on behind what was built', async () => {
    const database = open()
    await follow(database)
    const payments = writerOf('payments')
    const old: InlineProjection = { ...inlineProjection(payments), version: 0 }
    database.execute(`DROP TABLE ${table}; UPDATE feed_checkpoints SET version = 0 WHERE name = 'payments'`)
    expect(right(await rebuilding({ models: ['payments'] }))).toMatchObject([{ compared: false, switched: true }])
    const built = rowsIn(database, table)
    const applied: Array<unknown> = []
    const noting: InlineProjection = {
      ...inlineProjection(payments),
      prepare: () => (event) => applied.push(event.id),
      prepareMany: () => (events) => applied.push(...events.map(({ id }) => id)),
    }
    await follow(database, [noting])
    expect([built.length > 0, applied, checkpoints(database).some(({ version }) => version === old.version)]).toEqual([
      true,
      [],
      true,
    ])
  })

  it('stay as they are where the log is another one, ends before them, or cannot be read', async () => {
    const database = open()
    await follow(database)
    const before = allRows(database)
    const failed = (failure: object) => E.left(expect.objectContaining(failure))
    const other = await startPeer({ path: ':memory:', port: 0 })
    const otherLog = eventStoreDb({ connectionString: other.connectionString, clock: Date.now, deadlineMs: 500 })
    expect(await rebuilding({ log: otherLog })).toEqual(failed({ _tag: 'OtherLog' }))
    other.misbehave({ _tag: 'silent' })
    expect(await rebuilding({ log: otherLog })).toEqual(failed({ _tag: 'StoreUnavailable' }))
    await otherLog.close()
    await other.stop()
    database.execute("UPDATE feed_checkpoints SET position = position || '0'")
    expect(await rebuilding()).toEqual(failed({ _tag: 'OtherLog' }))
    expect([allRows(database), tablesLike(database, '%rebuilt%')]).toEqual([before, []])
    expect(await rebuilding({ path: folder.path('missing.db') })).toEqual(failed({ _tag: 'NothingToRebuild' }))
  })
})

import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing'
import { appendSomewhere, expectOneGaplessOrder, follow, read, readLog, sampleEvent } from '../conformance/sample.ts'
import { type PostgresEventStore, postgresEventStore } from './store.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { startAppending } from './testing/process.ts'
import { verify } from './verify.ts'

let cluster: Cluster
let schema: string
let store: PostgresEventStore
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())
beforeEach(async () => {
  schema = cluster.newSchema()
  const { connectionString } = cluster
  store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
})
afterEach(() => store.close())

const start = (...task: ReadonlyArray<string>) => startAppending([cluster.connectionString, schema, ...task])
const ids = (log: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> => log.map(({ id }) => id)

/** A follower that sees every event until all of these are in. */
const following = (after: bigint, total: number) => {
  const abort = new AbortController()
  const seen: RecordedEvent[] = []
  const ended = (async () => {
    for await (const event of store.subscribe(after, abort.signal)) if (seen.push(event) >= total) break
  })()
  return { seen, ended, abort }
}

describe('several processes on one log', () => {
  it('write one gapless order that only grows at its end', async () => {
    const writers = ['one', 'two', 'three'].map((name) => start('storm', name, '120'))
    const follower = follow(store, 0n, ({ length }) => length === 400)
    let before: ReadonlyArray<RecordedEvent> = []
    const growth = async (): Promise<void> => {
      const now = await readLog(store)
      expect(now.slice(0, before.length)).toEqual(before)
      before = now
    }
    for (let n = 0; n < 40; n += 1) {
      await appendSomewhere(store, `shared-${n % 5}`, `own-${n}`)
      await growth()
    }
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    await growth()
    expectOneGaplessOrder(before)
    expect(before.map(({ position }) => position)).toEqual(Array.from({ length: 400 }, (_, n) => BigInt(n + 1)))
    expect(await follower).toEqual(before)
    expect(await verify({ connectionString: cluster.connectionString, schema })).toMatchObject({
      ok: true,
      events: 400,
    })
  })

  it('keep what a killed process was told, and go on without it', async () => {
    const victim = start('storm', 'victim', '100000')
    const survivor = start('storm', 'survivor', '60')
    await follow(store, 0n, (seen) => seen.filter(({ id }) => id.startsWith('victim')).length === 100)
    victim.signal('SIGKILL')
    expect(await victim.ended).toBe('SIGKILL')
    expect(await survivor.ended).toBe(0)
    const acknowledged = [...victim.acknowledged(), ...survivor.acknowledged()]
    expect(acknowledged.length).toBeGreaterThan(60)
    const log = await readLog(store)
    expect(ids(log)).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(ids(log)).size).toBe(log.length)
    expectOneGaplessOrder(log)
  })

  it('write on while one of them is paused in its transaction, and that one learns that nothing was written', async () => {
    const paused = startAppending([cluster.connectionString, schema, 'pause', 'sample-1', 'held'], { IDLE_MS: '400' })
    await paused.printed('holding')
    paused.signal('SIGSTOP')
    await appendSomewhere(store, 'sample-2', 'free')
    expect(ids(await readLog(store))).toEqual(['free'])
    paused.signal('SIGCONT')
    paused.tell('go on')
    await paused.printed('outcome StoreUnavailable')
    expect(await paused.ended).toBe(0)
    expect(ids(await readLog(store))).toEqual(['free'])
  })
})

describe('a server that crashes under its writers', () => {
  it('loses nothing that was acknowledged, has nothing twice, and no follower misses an event', async () => {
    const total = 1_200
    const names = ['one', 'two', 'three']
    const writers = names.map((name) => start('storm', name, `${total / names.length}`))
    const followers = [following(0n, total), following(0n, total)]
    // A process that starts while the server is down cannot open the log.
    await Promise.all(writers.map((writer, n) => writer.printed(`acknowledged ${names[n]}-0`)))
    for (const share of [0.2, 0.5, 0.8]) {
      while (writers.flatMap((writer) => writer.acknowledged()).length < share * total)
        await new Promise((resolve) => setImmediate(resolve))
      await cluster.crash()
      await cluster.start()
    }
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    await Promise.all(followers.map(({ ended }) => ended))
    const log = await readLog(store)
    const acknowledged = writers.flatMap((writer) => writer.acknowledged())
    expect([...ids(log)].sort()).toEqual([...acknowledged].sort())
    expect(acknowledged.length).toBe(total)
    expectOneGaplessOrder(log)
    for (const { seen } of followers) expect(seen).toEqual(log)
    expect(await verify({ connectionString: cluster.connectionString, schema })).toMatchObject({
      ok: true,
      events: total,
    })
  })

  it('leaves the appends that it was at to be sent again, each with one effect', async () => {
    const { head } = await read(store, 'sample-1')
    const pending = Array.from({ length: 50 }, (_, n) => store.append(`s-${n}`, head, [sampleEvent(`${n}`)]))
    await cluster.sql('SELECT pg_advisory_lock((1364544852::bigint << 32) | $1::regclass::oid::bigint)', [
      `${schema}.events`,
    ])
    const first = Promise.all(pending.map((append) => append()))
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%append_1%'"
    while ((await cluster.sql(waiting)).length === 0);
    await cluster.crash()
    const tags = (await first).map((outcome) => (outcome._tag === 'Left' ? outcome.left._tag : 'Appended'))
    expect(tags).toEqual(Array.from({ length: 50 }, () => 'OutcomeUnknown'))
    await cluster.start()
    for (const append of pending) right(await append())
    expect([...ids(await readLog(store))].sort()).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`).sort())
  })
})

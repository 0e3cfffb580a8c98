import { right } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { appendAt, appendSomewhere, follow, read, readLog, sampleEvent } from '../conformance/sample.ts'
import { NewerSchema } from '../newer-schema.ts'
import { noEvents } from '../port.ts'
import { rowsOf } from '../sql-program.ts'
import { type PostgresEventStore, type PostgresEventStoreOptions, postgresEventStore } from './store.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { verify } from './verify.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

const opened: PostgresEventStore[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
})

const open = async (options: Partial<PostgresEventStoreOptions> = {}): Promise<PostgresEventStore> => {
  const { connectionString } = cluster
  const schema = cluster.newSchema()
  const store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [], ...options })
  opened.push(store)
  return store
}

const tagOf = (outcome: E.Either<{ readonly _tag: string }, unknown>): string =>
  E.isLeft(outcome) ? outcome.left._tag : 'Right'

describe('opening', () => {
  it('makes the tables once, however many open at once', async () => {
    const schema = cluster.newSchema()
    const stores = await Promise.all(Array.from({ length: 8 }, () => open({ schema })))
    await Promise.all(stores.map((store, n) => appendSomewhere(store, `s-${n % 2}`, `${n}`)))
    expect((await readLog(await open({ schema }))).length).toBe(8)
    expect(await cluster.sql(`SELECT version FROM ${schema}.schema_version`)).toEqual([{ version: '1' }])
  })

  it('refuses the tables of a newer release, and changes nothing', async () => {
    const schema = cluster.newSchema()
    await open({ schema })
    await cluster.sql(`INSERT INTO ${schema}.schema_version VALUES (2)`)
    await expect(open({ schema })).rejects.toThrow(NewerSchema)
    await expect(verify({ connectionString: cluster.connectionString, schema })).rejects.toThrow(NewerSchema)
  })

  it.each(['Quittance', 'a-b', 'a;b', '1a', 'pg_log', ''])(
    'refuses the schema name %j, which would need quotes',
    async (schema) => {
      await expect(open({ schema })).rejects.toThrow(RangeError)
    },
  )

  it('rejects where no server answers', async () => {
    await expect(open({ connectionString: 'postgres://quittance@127.0.0.1:1/postgres' })).rejects.toThrow(
      'ECONNREFUSED',
    )
  })

  it('works as a role that owns its schema and can make none', async () => {
    const schema = cluster.newSchema()
    await cluster.sql(`CREATE ROLE guest LOGIN`)
    await cluster.sql(`CREATE SCHEMA ${schema} AUTHORIZATION guest`)
    const store = await open({ schema, connectionString: cluster.connectionString.replace('quittance@', 'guest@') })
    await appendAt(store, 'sample-1', noEvents, ['a'])
  })
})

describe('settings', () => {
  it('syncs each commit, reads what is committed and bounds every wait, whatever the database and the role prefer', async () => {
    await cluster.sql('CREATE ROLE hasty LOGIN SUPERUSER')
    for (const [name, value] of [
      ['synchronous_commit', 'off'],
      ['default_transaction_isolation', 'serializable'],
      ['search_path', 'public'],
      ['lock_timeout', '0'],
    ])
      await cluster.sql(`ALTER ROLE hasty SET ${name} = '${value}'`)
    const schema = cluster.newSchema()
    const store = await open({ schema, connectionString: cluster.connectionString.replace('quittance@', 'hasty@') })
    const seen: unknown[] = []
    const names = [
      'synchronous_commit',
      'transaction_isolation',
      'search_path',
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
    ]
    right(
      await store.append('sample-1', noEvents, [sampleEvent('a')], function* () {
        for (const name of names) seen.push((yield* rowsOf(`SELECT current_setting('${name}') AS value`)())[0]?.value)
      })(),
    )
    expect(seen).toEqual(['on', 'read committed', `${schema}, pg_temp`, '30s', '5s', '10s'])
  })
})

describe('appending', () => {
  it('keeps the order of commits when the clock goes back', async () => {
    const times = [3_000, 1_000, 2_000]
    const store = await open({ clock: () => times.shift() ?? 0 })
    await appendAt(store, 'sample-1', noEvents, ['a'])
    await appendAt(store, 'sample-2', noEvents, ['b'])
    await appendAt(store, 'sample-3', noEvents, ['c'])
    expect((await readLog(store)).map(({ id, position, recordedAt }) => ({ id, position, recordedAt }))).toEqual([
      { id: 'a', position: 1n, recordedAt: 3_000 },
      { id: 'b', position: 2n, recordedAt: 1_000 },
      { id: 'c', position: 3n, recordedAt: 2_000 },
    ])
  })

  it('shares a commit among appends that wait, each judged alone', async () => {
    const store = await open()
    const head = await appendAt(store, 'old', noEvents, ['a'])
    const outcomes = await Promise.all([
      store.append('old', noEvents, [sampleEvent('b')])(),
      store.append('old', head, [sampleEvent('c')])(),
      store.append('new', head, [sampleEvent('d')])(),
      ...Array.from({ length: 600 }, (_, n) => store.append(`s-${n}`, noEvents, [sampleEvent(`${n}`)])()),
    ])
    expect(outcomes.slice(0, 3).map(tagOf)).toEqual(['WrongExpectedRevision', 'Right', 'WrongExpectedRevision'])
    expect(outcomes.slice(3).map(tagOf)).toEqual(Array.from({ length: 600 }, () => 'Right'))
    const log = await readLog(store)
    expect(log.map(({ position }) => position)).toEqual(Array.from({ length: 602 }, (_, n) => BigInt(n + 1)))
    const commits = new Set(log.map(({ recordedAt }) => recordedAt))
    expect(commits.size).toBeLessThan(20)
  })

  it('refuses a lock that another session holds for too long, and writes once it is free', async () => {
    const schema = cluster.newSchema()
    const store = await open({ schema, timeouts: { lock: 50 } })
    await cluster.sql('SELECT pg_advisory_lock((1364544852::bigint << 32) | $1::regclass::oid::bigint)', [
      `${schema}.events`,
    ])
    const outcome = await store.append('sample-1', noEvents, [sampleEvent('a')])()
    expect(outcome).toMatchObject({ left: { _tag: 'StoreUnavailable', cause: { code: '55P03' } } })
    expect(await readLog(store)).toEqual([])
    await cluster
      .sql('SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = $1 AND granted', ['advisory'])
      .catch(() => undefined)
    await appendAt(store, 'sample-1', noEvents, ['a'])
  })

  it('rejects a name that no index holds, and continues with other appends', async () => {
    const store = await open()
    const outcomes = await Promise.allSettled([
      store.append('a'.repeat(2_001), noEvents, [sampleEvent('a')])(),
      store.append('ü'.repeat(1_000), noEvents, [sampleEvent('b', { text: 'x'.repeat(1_000_000) })])(),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: new RangeError('The name of a stream is too long: 2001 bytes') },
      { status: 'fulfilled' },
    ])
    expect((await readLog(store)).map(({ id }) => id)).toEqual(['b'])
  })

  it('answers as unavailable where a table is missing', async () => {
    const schema = cluster.newSchema()
    const store = await open({ schema })
    await cluster.sql(`ALTER TABLE ${schema}.events RENAME TO gone`)
    expect(tagOf(await store.append('sample-1', noEvents, [sampleEvent('a')])())).toBe('StoreUnavailable')
    expect(tagOf(await store.readStream('sample-1')())).toBe('StoreUnavailable')
    await cluster.sql(`ALTER TABLE ${schema}.gone RENAME TO events`)
    await appendAt(store, 'sample-1', noEvents, ['a'])
  })

  it('commits what is pending when it closes, then answers as unavailable', async () => {
    const schema = cluster.newSchema()
    const store = await open({ schema })
    const first = await store.append('sample-1', noEvents, [sampleEvent('a')])()
    const repeated = store.append('sample-1', noEvents, [sampleEvent('a')])()
    const pending = store.append('sample-2', noEvents, [sampleEvent('b')])()
    await store.close()
    expect(await repeated).toEqual(first)
    expect(tagOf(await pending)).toBe('Right')
    expect(tagOf(await store.append('sample-3', noEvents, [])())).toBe('StoreUnavailable')
    expect(tagOf(await store.readStream('sample-1')())).toBe('StoreUnavailable')
    expect((await readLog(await open({ schema }))).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

describe('following', () => {
  it('loses no event with the connection that listens, and listens again', async () => {
    const schema = cluster.newSchema()
    const [store, other] = [await open({ schema }), await open({ schema })]
    const listening = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%LISTEN ${schema}_events'`
    const following = follow(store, 0n, ({ length }) => length === 40)
    const killed = new Set<unknown>()
    for (let n = 0; n < 40; n += 1) {
      if (n % 10 === 5) {
        let pids: ReadonlyArray<unknown> = []
        while (pids.length === 0)
          pids = (await cluster.sql(listening)).map(({ pid }) => pid).filter((pid) => !killed.has(pid))
        for (const pid of pids) {
          killed.add(pid)
          await cluster.sql('SELECT pg_terminate_backend($1)', [pid])
        }
      }
      await appendSomewhere(other, `s-${n % 3}`, `${n}`)
    }
    expect((await following).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`))
    expect(killed.size).toBe(4)
  })

  it('ends with an error that no retry will heal', async () => {
    const schema = cluster.newSchema()
    const store = await open({ schema })
    await cluster.sql(`DROP TABLE ${schema}.events`)
    await expect(follow(store, 0n, () => true)).rejects.toThrow('relation "events" does not exist')
  })
})

describe('verifying', () => {
  it('reports the schema without a log, the missing index and the read models ahead of the log', async () => {
    const { connectionString } = cluster
    const schema = cluster.newSchema()
    expect(await verify({ connectionString, schema })).toMatchObject({ ok: false, events: 0, head: null })
    const store = await open({ schema })
    await appendAt(store, 'sample-1', noEvents, ['a', 'b'])
    const head = right(await store.logHead())
    expect(await verify({ connectionString, schema }, { expected: [head] })).toEqual({
      ok: true,
      events: 2,
      problems: [],
      head,
    })
    await cluster.sql(`DROP INDEX ${schema}.events_by_stream`)
    await cluster.sql(`INSERT INTO ${schema}.inline_projections VALUES ('lists', 1, 3)`)
    const { ok, problems } = await verify({ connectionString, schema })
    expect({ ok, problems: problems.map(({ problem }) => problem) }).toEqual({
      ok: false,
      problems: [
        'the unique index events_by_stream is missing or not valid',
        'its end is missing: read models have applied position 3, and the log ends at 2',
      ],
    })
  })

  it('has the digest that the documentation computes by hand', async () => {
    const store = await open()
    const context = { ...sampleEvent('').context, commandId: 'c-1', correlationId: 'c-1' }
    const data = { reason: 'transaction_dead', failedAt: 1_790_000_000_000 }
    const first = { id: 'e-1', type: 'PaymentFailed', schemaVersion: 1, data, context }
    const second = { id: 'e-2', type: 'PaymentNoted', schemaVersion: 1, data: { note: 'ü' }, context }
    right(await store.append('payment-1', noEvents, [first, second])())
    expect((await read(store, 'payment-1')).head.hash).toBe(
      'bdad8b0e007311173dbb0847960e4b886cb7d52d4caa414a354a398e6493d27a',
    )
    expect(await store.logHead()).toEqual(
      E.right({ position: 2, digest: '2d8eba1232d7ad362485bd918a0d4615f82d0d80d46f9cecd581b162c87247a4' }),
    )
  })
})

import { right } from '@quittance/domain/testing'
import { appendAt, appendSomewhere, inLanes, readLog, sampleEvent } from '../conformance/sample.ts'
import { type Alongside, noEvents } from '../port.ts'
import { changesOf, rowsOf } from '../sql-program.ts'
import { type Connections, connections } from './connection.ts'
import { connectionOptionsOf } from './options.ts'
import { openProjections } from './projecting.ts'
import type { PostgresProjection } from './projection.ts'
import { openPostgresSchema } from './shared-schema.ts'
import type { PostgresEventStore } from './store.ts'
import { storesInSchemas } from './testing/stores-in-schemas.ts'

const suite = storesInSchemas()
const { open, idsIn } = suite

/** Lists the ids of all events, and refuses those whose id begins with `bad`. */
const listing = (name: string, version = 1): PostgresProjection => ({
  name,
  version,
  create: (sql) =>
    sql.execute(`CREATE TABLE IF NOT EXISTS ${name}_${version} (position bigint PRIMARY KEY, id text, batch bigint)`),
  apply: async (sql, events) => {
    for (const { id } of events) if (id.startsWith('bad')) throw new Error(`${id} is not wanted`)
    await sql.query(
      `INSERT INTO ${name}_${version} SELECT p, i, pg_current_xact_id()::text::bigint
       FROM unnest($1::bigint[], $2::text[]) AS e(p, i)`,
      [events.map(({ position }) => position), events.map(({ id }) => id)],
    )
  },
})

const mark = async (name: string, version = 1): Promise<unknown> =>
  (
    await suite.cluster.sql(
      `SELECT position::int FROM ${suite.schema}.inline_projections WHERE name = $1 AND version = $2`,
      [name, version],
    )
  )[0]?.position
const ids = async (store: PostgresEventStore): Promise<ReadonlyArray<string>> =>
  (await readLog(store)).map(({ id }) => id)

const claiming = (name: string): Alongside =>
  function* () {
    yield* changesOf('INSERT INTO claims VALUES (?)', name)()
  }
const claims = async (): Promise<ReadonlyArray<unknown>> =>
  (await suite.cluster.sql(`SELECT name FROM ${suite.schema}.claims ORDER BY name`)).map(({ name }) => name)
const withClaims: PostgresProjection = {
  name: 'none',
  version: 1,
  create: (sql) => sql.execute('CREATE TABLE IF NOT EXISTS claims (name text PRIMARY KEY)'),
  apply: async () => undefined,
}

describe('inline projections', () => {
  it('are written with each append, all events of a commit at once', async () => {
    const store = await open(listing('lists'))
    await inLanes(100, (n) => appendSomewhere(store, `s-${n % 7}`, `${n}`))
    expect(await idsIn('lists_1')).toEqual(await ids(store))
    expect(await mark('lists')).toBe(100)
    const [row] = await suite.cluster.sql(`SELECT count(DISTINCT batch)::int AS batches FROM ${suite.schema}.lists_1`)
    expect(row?.batches).toBeLessThan(100)
  })

  it('catch up when the store opens, and a new version starts beside the old one', async () => {
    const first = await open(listing('lists'))
    await appendAt(
      first,
      'sample-1',
      noEvents,
      Array.from({ length: 2_500 }, (_, n) => `${n}`),
    )
    const second = await open(listing('lists', 2), listing('others'))
    for (const table of ['lists_1', 'lists_2', 'others_1']) expect(await idsIn(table)).toEqual(await ids(second))
    expect([await mark('lists', 1), await mark('lists', 2), await mark('others')]).toEqual([2_500, 2_500, 2_500])
  })

  it('read the log once when the store opens, however many lag and wherever they stand', async () => {
    const append = (stream: string, events: number) =>
      open().then((store) =>
        appendAt(
          store,
          stream,
          noEvents,
          Array.from({ length: events }, (_, n) => `${stream} ${n}`),
        ),
      )
    await append('sample-1', 1_300)
    await open(listing('early'))
    await append('sample-2', 1_000)
    await open(listing('later'), listing('later', 2))
    await append('sample-3', 2_100)

    const within = connectionOptionsOf({ connectionString: suite.cluster.connectionString, schema: suite.schema })
    const writer = connections(within, 1)
    const read: unknown[] = []
    const counted: Connections = {
      ...writer,
      use: (work) =>
        writer.use((sql) => {
          const query: typeof sql.query = async (text, values) => {
            if (/FROM events WHERE position > /.test(text)) read.push(values)
            return sql.query(text, values)
          }
          return work({ ...sql, query })
        }),
    }
    const names = ['early', 'later', 'fresh', 'new']
    await openProjections(counted, [...names.map((name) => listing(name)), listing('later', 2)])
    await writer.close()

    expect(read).toEqual([
      [0, 1_000],
      [1_000, 1_300],
      [1_300, 2_300],
      [2_300, 3_300],
      [3_300, 4_300],
      [4_300, 4_400],
    ])
    const all = await ids(await open())
    for (const table of [...names.map((name) => `${name}_1`), 'later_2']) expect(await idsIn(table)).toEqual(all)
    expect(await Promise.all([...names.map((name) => mark(name)), mark('later', 2)])).toEqual(Array(5).fill(4_400))
  })

  it('catch up with what a process without them has written, before their next append', async () => {
    const [store, without] = [await open(listing('lists'), listing('others')), await open(listing('others'))]
    await appendAt(store, 'sample-1', noEvents, ['a'])
    await appendAt(without, 'sample-2', noEvents, ['b', 'c'])
    expect([await mark('lists'), await mark('others')]).toEqual([1, 3])
    await appendAt(store, 'sample-3', noEvents, ['d'])
    for (const table of ['lists_1', 'others_1']) expect(await idsIn(table)).toEqual(['a', 'b', 'c', 'd'])
    expect([await mark('lists'), await mark('others')]).toEqual([4, 4])
  })

  it('are caught up once, though several processes open while others write', async () => {
    const writer = await open()
    const writing = inLanes(200, (n) => appendSomewhere(writer, `s-${n % 7}`, `${n}`))
    const [one, other] = [listing('lists'), listing('others')]
    const orders = [
      [one, other],
      [other, one],
    ]
    const stores = await Promise.all([...orders, ...orders].map((projections) => open(...projections)))
    await Promise.all(stores.map((store, n) => appendSomewhere(store, `own-${n}`, `own-${n}`)))
    await writing
    const [store] = stores
    if (store === undefined) throw new Error('a store was opened')
    await appendSomewhere(store, 'last-1', 'last')
    for (const table of ['lists_1', 'others_1']) expect(await idsIn(table)).toEqual(await ids(store))
  })

  it('are not caught up by an append while another process is at it', async () => {
    const [store, without] = [await open(listing('lists')), await open()]
    await appendAt(without, 'sample-1', noEvents, ['a', 'b'])
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const { promise: catchingUp, resolve: begin } = Promise.withResolvers<void>()
    const slow: PostgresProjection = {
      ...listing('lists'),
      apply: async (sql, events) => {
        await listing('lists').apply(sql, events)
        begin()
        await gate
      },
    }
    const opening = open(slow)
    await catchingUp
    const appending = appendAt(store, 'sample-2', noEvents, ['c'])
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%append_1%'"
    while ((await suite.cluster.sql(waiting)).length === 0);
    openGate()
    await Promise.all([opening, appending])
    expect(await idsIn('lists_1')).toEqual(['a', 'b', 'c'])
  })

  it('refuse the append whose event they cannot take, and no other of its commit', async () => {
    const store = await open(listing('lists'))
    const names = ['a', 'b', 'bad-1', 'c', 'd', 'bad-2', 'e']
    const outcomes = await Promise.all(
      names.map((id) => store.append(`stream of ${id}`, noEvents, [sampleEvent(id)])()),
    )
    expect(outcomes.map((outcome) => (outcome._tag === 'Left' ? outcome.left : 'appended'))).toEqual([
      'appended',
      'appended',
      { _tag: 'AppendRefused', cause: new Error('bad-1 is not wanted') },
      'appended',
      'appended',
      { _tag: 'AppendRefused', cause: new Error('bad-2 is not wanted') },
      'appended',
    ])
    expect([...(await ids(store))].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await idsIn('lists_1')).toEqual(await ids(store))
    expect((await readLog(store)).map(({ position }) => position)).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  it('refuse to open where their mark lies past the end of the log, or where two have one name and version', async () => {
    await open(listing('lists'))
    await suite.cluster.sql(`UPDATE ${suite.schema}.inline_projections SET position = 3`)
    await expect(open(listing('lists'))).rejects.toThrow('lists has applied position 3, but the log ends at 0')
    await expect(open(listing('twins'), listing('twins'))).rejects.toThrow(RangeError)
  })

  it('cannot use their SQL after the transaction', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const store = await open({
      name: 'late',
      version: 1,
      create: async () => undefined,
      apply: async (sql) => {
        late = over.then(() => sql.query('DELETE FROM events'))
      },
    })
    await appendAt(store, 'sample-1', noEvents, ['a'])
    resolve()
    await expect(late).rejects.toThrow(TypeError)
    expect(await ids(store)).toEqual(['a'])
  })
})

describe('writes alongside', () => {
  it('are one with their append, and are not repeated with it', async () => {
    const store = await open(withClaims)
    const first = right(await store.append('sample-1', noEvents, [sampleEvent('a')], claiming('x'))())
    expect(right(await store.append('sample-1', noEvents, [sampleEvent('a')], claiming('y'))())).toEqual(first)
    right(await store.append('sample-1', first.head, [], claiming('z'))())
    expect([await claims(), await ids(store)]).toEqual([['x', 'z'], ['a']])
  })

  it('refuse their append alone, in whatever company it is', async () => {
    const store = await open(withClaims)
    right(await store.append('sample-0', noEvents, [sampleEvent('0')], claiming('taken'))())
    const outcomes = await Promise.all([
      store.append('sample-1', noEvents, [sampleEvent('1')])(),
      store.append('sample-2', noEvents, [sampleEvent('2')], claiming('free'))(),
      store.append('sample-3', noEvents, [sampleEvent('3')], claiming('taken'))(),
      store.append('sample-4', noEvents, [sampleEvent('4')], () => {
        throw new Error('not now')
      })(),
      store.append('sample-5', noEvents, [sampleEvent('5')])(),
    ])
    expect(outcomes.map((outcome) => (outcome._tag === 'Left' ? outcome.left : 'appended'))).toEqual([
      'appended',
      'appended',
      { _tag: 'AppendRefused', cause: expect.objectContaining({ name: 'PostgresError', code: '23505' }) },
      { _tag: 'AppendRefused', cause: new Error('not now') },
      'appended',
    ])
    expect([await claims(), [...(await ids(store))].sort()]).toEqual([
      ['free', 'taken'],
      ['0', '1', '2', '5'],
    ])
  })

  it('refuse their append when they go on after a failed statement', async () => {
    const store = await open(withClaims)
    const ignoring: Alongside = function* () {
      try {
        yield* rowsOf('SELECT 1 / 0')()
      } catch {}
    }
    const outcome = await store.append('sample-1', noEvents, [sampleEvent('a')], ignoring)()
    expect(outcome).toMatchObject({ left: { _tag: 'AppendRefused' } })
    const further = await store.append('sample-1', noEvents, [sampleEvent('a')], function* () {
      yield* ignoring()
      yield* rowsOf('SELECT 1')()
    })()
    expect(further).toMatchObject({ left: { _tag: 'AppendRefused' } })
    expect(await ids(store)).toEqual([])
  })

  it('are not written for an append that comes too late', async () => {
    const store = await open(withClaims)
    await appendAt(store, 'sample-1', noEvents, ['a'])
    const late = await store.append('sample-1', noEvents, [sampleEvent('b')], claiming('x'))()
    expect(late).toMatchObject({ left: { _tag: 'WrongExpectedRevision', expected: -1n, actual: 0n } })
    expect(await claims()).toEqual([])
  })
})

describe('a store that opens beside a process that is stopped', () => {
  /** Holds a lock as a process does that is stopped in its transaction. */
  const stoppedWith = async (statement: string) => {
    const at = {
      connectionString: suite.cluster.connectionString,
      schema: suite.schema,
      subject: 'stopped',
      connections: 1,
    }
    const other = await openPostgresSchema(at)
    const [held, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = other.transaction('full', async ({ execute }) => {
      await execute(statement)
      held.resolve()
      await woken.promise
    })
    await held.promise
    return async () => {
      woken.resolve()
      await holding
      await other.close()
    }
  }
  const openWithin = async (patienceMs: number, ...projections: ReadonlyArray<PostgresProjection>) => {
    const at = { connectionString: suite.cluster.connectionString, schema: suite.schema, timeouts: { lock: 50 } }
    const writer = connections(connectionOptionsOf(at), 1)
    return openProjections(writer, projections, patienceMs).finally(writer.close)
  }
  const marksLocked = 'UPDATE inline_projections SET position = position'

  it('waits for no lock where nothing is to be changed', async () => {
    const store = await open(listing('lists'), listing('others'))
    await appendAt(store, 'sample-1', noEvents, ['a', 'b'])
    const wake = await stoppedWith(`${marksLocked}; LOCK TABLE lists_1, events IN ROW EXCLUSIVE MODE`)
    const { projections } = await openWithin(0, listing('lists'), listing('others'))
    expect(projections.map(({ name }) => name)).toEqual(['lists', 'others'])
    await wake()
  })

  it('waits for longer than one lock may take, and goes on when the lock is free', async () => {
    await open(listing('lists'))
    const wake = await stoppedWith(marksLocked)
    const opening = openWithin(60_000, listing('lists'), listing('others'))
    const waits = () =>
      suite.cluster.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'LOCK %'")
    // It has met the end of its first wait when it waits again after it did not.
    for (const isWaiting of [true, false, true]) while ((await waits()).length > 0 !== isWaiting);
    await wake()
    await opening
    expect([await mark('lists'), await mark('others')]).toEqual([0, 0])
  })

  it('gives up in the end, as a failure of the store', async () => {
    await open(listing('lists'))
    const wake = await stoppedWith(marksLocked)
    await expect(openWithin(200, listing('others'))).rejects.toMatchObject({ name: 'PostgresError', code: '55P03' })
    await wake()
  })
})

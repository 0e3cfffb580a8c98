import { right } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import { appendAt, readLog, sampleEvent } from '../conformance/sample.ts'
import { LeftBehind } from '../left-behind.ts'
import { NewerSchema } from '../newer-schema.ts'
import { noEvents } from '../port.ts'
import { takeLogLock } from './append-function.ts'
import type { PostgresProjection } from './projection.ts'
import type { PostgresEventStore } from './store.ts'
import { storesInSchemas } from './testing/stores-in-schemas.ts'

const suite = storesInSchemas()
const { open, idsIn } = suite

/** Lists the ids of all events but `unknown`, at which it throws. */
const listing = (version = 1): PostgresProjection => ({
  name: 'listing',
  version,
  create: (sql) => sql.execute(`CREATE TABLE IF NOT EXISTS listing_${version} (position bigint PRIMARY KEY, id text)`),
  apply: async (sql, events) => {
    for (const { id } of events) if (id === 'unknown') throw new Error('unknown is of an unknown type')
    await sql.query(`INSERT INTO listing_${version} SELECT * FROM unnest($1::bigint[], $2::text[])`, [
      events.map(({ position }) => position),
      events.map(({ id }) => id),
    ])
  },
})
const listed = (version: number) => idsIn(`listing_${version}`)
const written = () => idsIn('events')

/** What a migration of a newer release writes, in its own transaction. */
const migration = (oldest: number | null): string =>
  oldest === null
    ? `INSERT INTO ${suite.schema}.schema_version VALUES (2)`
    : `ALTER TABLE ${suite.schema}.schema_version ADD COLUMN oldest bigint;
       INSERT INTO ${suite.schema}.schema_version VALUES (2, ${oldest})`
const append = (store: PostgresEventStore, id: string) => store.append(`sample-${id}`, noEvents, [sampleEvent(id)])()

const saysVersions =
  'A newer release has written what this one does not know: ' +
  'The event log has schema version 2; this release knows versions up to 1. Use the newer release.'
const saysUnknown = 'A newer release has written what this one does not know: unknown is of an unknown type'
const isLeftBehind = (message: string) =>
  E.left({ _tag: 'StoreUnavailable', cause: expect.objectContaining({ name: 'LeftBehind', message }) })

describe.each([['without a projection', []] as const, ['with a projection', [listing()]] as const])(
  'tables that a newer release has migrated, %s',
  (_, projections) => {
    it('serve on, and open again, where the migration says that this version may go on', async () => {
      const store = await open(...projections)
      await append(store, 'a')
      await suite.cluster.sql(migration(1))
      expect(await store.release.look()).toBeNull()
      right(await append(store, 'b'))
      right(await append(await open(...projections), 'c'))
      expect(await written()).toEqual(['a', 'b', 'c'])
    })

    it.each([null, 2])('take no append and open no more, where the oldest that may go on is %j', async (oldest) => {
      const store = await open(...projections)
      await append(store, 'a')
      await suite.cluster.sql(migration(oldest))
      expect(await append(store, 'b')).toEqual(isLeftBehind(saysVersions))
      expect(await written()).toEqual(['a'])
      await expect(open(...projections)).rejects.toThrow(NewerSchema)
    })

    it('answer nothing at all once it has looked, and everything after the migration is undone', async () => {
      const store = await open(...projections)
      await append(store, 'a')
      await suite.cluster.sql(migration(null))
      expect(await store.release.look()).toEqual(new LeftBehind(new NewerSchema(2, 1)))
      expect(store.release.leftBehind()?.message).toBe(saysVersions)
      expect(await Promise.all([append(store, 'b'), store.readStream('sample-a')(), store.logHead()])).toEqual(
        Array.from({ length: 3 }, () => isLeftBehind(saysVersions)),
      )
      await expect(readLog(store)).rejects.toThrow(saysVersions)
      await suite.cluster.sql(`DELETE FROM ${suite.schema}.schema_version WHERE version = 2`)
      expect(await store.release.look()).toBeNull()
      right(await append(store, 'b'))
      expect(await written()).toEqual(['a', 'b'])
    })
  },
)

it('an append that waits for a migration sees it, and is not written', async () => {
  const store = await open(listing())
  await append(store, 'a')
  const migrating = new pg.Client(suite.cluster.connectionString)
  await migrating.connect()
  await migrating.query(`BEGIN; SET LOCAL search_path = ${suite.schema}; SELECT ${takeLogLock}`)
  const waiting = append(store, 'b')
  const waiters = "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  while ((await suite.cluster.sql(waiters))[0]?.n !== 1);
  await migrating.query(`${migration(null)}; COMMIT`)
  expect(await waiting).toEqual(isLeftBehind(saysVersions))
  await migrating.end()
  expect(await written()).toEqual(['a'])
})

describe('read models beside those of another release', () => {
  it('get what the processes of each have written when the others look, and with their next append', async () => {
    const [older, newer] = [await open(listing(1)), await open(listing(2))]
    await append(older, 'a')
    await append(newer, 'b')
    expect([await listed(1), await listed(2)]).toEqual([['a'], ['a', 'b']])
    expect(await older.release.look()).toBeNull()
    expect(await listed(1)).toEqual(['a', 'b'])
    await append(older, 'c')
    expect(await newer.release.look()).toBeNull()
    expect([await listed(1), await listed(2)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  it('are looked after by many processes at once', async () => {
    const older = await Promise.all(Array.from({ length: 4 }, () => open(listing(1))))
    const newer = await open(listing(2))
    for (let n = 0; n < 20; n++) {
      await append(newer, `${n}`)
      expect(await Promise.all(older.map((store) => store.release.look()))).toEqual([null, null, null, null])
    }
    expect(await listed(1)).toEqual(await written())
  })

  it('stop a process at an event that its own cannot apply: it writes nothing, and says why', async () => {
    const older = await open(listing(1))
    const head = await appendAt(older, 'sample-a', noEvents, ['a'])
    await append(await open(), 'unknown')
    expect(await older.append('sample-a', head, [sampleEvent('b')])()).toEqual(isLeftBehind(saysUnknown))
    expect(older.release.leftBehind()).toBeNull()
    expect((await older.release.look())?.message).toBe(saysUnknown)
    expect(await older.readStream('sample-a')()).toEqual(isLeftBehind(saysUnknown))
    await expect(open(listing(1))).rejects.toThrow('unknown is of an unknown type')
    expect([await written(), await listed(1)]).toEqual([['a', 'unknown'], ['a']])
  })
})

import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import { type EventStore, noEvents, type StoredEvent, sealEvent } from '@quittance/event-store'
import { postgresEventStore } from '@quittance/event-store/postgres'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import pg from 'pg'
import { sampleEvent } from './sample-events.ts'

/**
 * A process that appends events one by one for each of its callers, or inserts the same rows by the driver alone, from a
 * message on for some seconds. Answers how many. Arguments: the connection string (of 'sqlite': the file), the schema, 'store',
 * 'sqlite', 'emmett' or 'plain', the number of callers, the seconds, and its own number.
 */
const [connectionString = '', schema = '', kind = '', callersText, secondsText, number = ''] = process.argv.slice(2)
const callers = Number(callersText)
const milliseconds = Number(secondsText) * 1_000
const eventsPerStream = 10

const streamOf = (caller: number, n: number): string =>
  `checkout-${number}-${caller}-${Math.floor(n / eventsPerStream)
    .toString(36)
    .padStart(12, '0')}`

type Work = {
  readonly run: (until: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** `append` writes the n-th event of a caller, and is called for one after the other. */
const inTurns = async (append: (caller: number, n: number) => Promise<void>, until: number): Promise<number> => {
  const each = async (caller: number): Promise<number> => {
    for (let n = 0; ; n += 1) {
      if (performance.now() > until) return n
      await append(caller, n)
    }
  }
  const counts = await Promise.all(Array.from({ length: callers }, (_, caller) => each(caller)))
  return counts.reduce((sum, count) => sum + count, 0)
}

const newEvent = (n: number): ReturnType<typeof sampleEvent> => JSON.parse(JSON.stringify(sampleEvent(n)))

const throughStore = (store: EventStore & { readonly close: () => void | Promise<void> }): Work => {
  const heads = Array.from({ length: callers }, () => noEvents)
  const append = async (caller: number, n: number): Promise<void> => {
    const head = n % eventsPerStream === 0 ? noEvents : (heads[caller] ?? noEvents)
    const outcome = await store.append(streamOf(caller, n), head, [newEvent(n)])()
    if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
    heads[caller] = outcome.right.head
  }
  return { run: (until) => inTurns(append, until), close: async () => store.close() }
}

/** The peer's own store, with its pool of connections. It seals nothing, and orders no writers. */
const throughEmmett = async (): Promise<Work> => {
  const store = getPostgreSQLEventStore(connectionString)
  await store.schema.migrate()
  const append = async (caller: number, n: number): Promise<void> => {
    const { type, data, context } = newEvent(n)
    const before = n % eventsPerStream
    const expected = before === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(before)
    await store.appendToStream(streamOf(caller, n), [{ type, data: { ...data }, metadata: { ...context } }], {
      expectedStreamVersion: expected,
    })
  }
  return { run: (until) => inTurns(append, until), close: store.close }
}

const insert = `INSERT INTO plain SELECT p, $1, r, v, decode(h, 'hex'), decode(h, 'hex'), s, i, t, d, m
  FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
  AS e(p, r, v, h, s, i, t, d, m)`

/** One row of each caller in a transaction. All rows are made before the clock starts. */
const plainInserts = async (): Promise<Work> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`SET search_path = ${schema}; SET synchronous_commit = on`)
  const transactions = Array.from({ length: Math.ceil(20_000 / callers) }, (_, n) =>
    Array.from({ length: callers }, (__, caller): StoredEvent => {
      const revision = BigInt((n % eventsPerStream) - 1)
      return sealEvent({ ...noEvents, revision }, streamOf(caller, n), sampleEvent(n))
    }),
  )
  const first = Number(number) * 1_000_000_000
  return {
    run: async (until) => {
      let written = 0
      for (const rows of transactions) {
        if (performance.now() > until) break
        const before = first + written
        await client.query({
          name: 'insert',
          text: insert,
          values: [
            Date.now(),
            rows.map((_, index) => before + index),
            rows.map(({ revision }) => revision),
            rows.map(({ schemaVersion }) => schemaVersion),
            rows.map(({ hash }) => hash),
            rows.map(({ stream }) => stream),
            rows.map(({ id }) => id),
            rows.map(({ type }) => type),
            rows.map(({ data }) => data),
            rows.map(({ metadata }) => metadata),
          ],
        })
        written += rows.length
      }
      return written
    },
    close: () => client.end(),
  }
}

const works: Readonly<Record<string, () => Promise<Work>>> = {
  store: async () =>
    throughStore(await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })),
  sqlite: async () => throughStore(sqliteEventStore({ path: connectionString, clock: Date.now, projections: [] })),
  emmett: throughEmmett,
  plain: plainInserts,
}
const work = await works[kind]?.()
if (work === undefined) throw new Error(`no store ${kind}`)
process.send?.('ready')
process.once('message', async () => {
  const count = await work.run(performance.now() + milliseconds)
  process.send?.(count)
  await work.close()
  process.disconnect()
})

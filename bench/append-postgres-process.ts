import { noEvents, type StoredEvent, sealEvent } from '@quittance/event-store'
import { postgresEventStore } from '@quittance/event-store/postgres'
import pg from 'pg'
import { sampleEvent } from './sample-events.ts'

/**
 * A process that appends events one by one for each of its callers, or inserts the same rows by the driver alone, from a
 * message on for some seconds. Answers how many. Arguments: the connection string, the schema, 'store' or 'plain', the
 * number of callers, the seconds, and its own number.
 */
const [connectionString = '', schema = '', kind, callersText, secondsText, number = ''] = process.argv.slice(2)
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

const throughStore = async (): Promise<Work> => {
  const store = await postgresEventStore({ connectionString, schema, clock: Date.now, projections: [] })
  const append = async (caller: number, until: number): Promise<number> => {
    let head = noEvents
    for (let n = 0; ; n += 1) {
      if (performance.now() > until) return n
      if (n % eventsPerStream === 0) head = noEvents
      const event = JSON.parse(JSON.stringify(sampleEvent(n)))
      const outcome = await store.append(streamOf(caller, n), head, [event])()
      if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
      head = outcome.right.head
    }
  }
  return {
    run: async (until) => {
      const each = await Promise.all(Array.from({ length: callers }, (_, caller) => append(caller, until)))
      return each.reduce((sum, count) => sum + count, 0)
    },
    close: store.close,
  }
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

const work = await (kind === 'plain' ? plainInserts() : throughStore())
process.send?.('ready')
process.once('message', async () => {
  const count = await work.run(performance.now() + milliseconds)
  process.send?.(count)
  await work.close()
  process.disconnect()
})

/**
 * A log on PostgreSQL, with a read model of its own and a claim beside an append. It writes a note, says what another
 * process with the same claim is told, lists the notes and proves the log.
 *
 *     node docs/example/postgres-log.ts postgres://user@host/database
 */
import type { NewEvent } from '@quittance/domain'
import { type Alongside, changesOf, noEvents } from '@quittance/event-store'
import { NewerSchema, type PostgresProjection, postgresEventStore, verify } from '@quittance/event-store/postgres'

const [, , connectionString = ''] = process.argv
const at = { connectionString, schema: 'notes' }

const notes: PostgresProjection = {
  name: 'notes',
  version: 1,
  create: (sql) =>
    sql.execute(`CREATE TABLE IF NOT EXISTS notes_1 (id text PRIMARY KEY, note text);
                 CREATE TABLE IF NOT EXISTS claims (name text PRIMARY KEY)`),
  apply: async (sql, events) => {
    const taken = events.filter(({ type }) => type === 'NoteTaken')
    await sql.query('INSERT INTO notes_1 SELECT * FROM unnest($1::text[], $2::text[])', [
      taken.map(({ id }) => id),
      taken.map(({ data }) => String(data.note)),
    ])
  },
}

const claim = (name: string): Alongside =>
  function* () {
    yield* changesOf('INSERT INTO claims VALUES (?)', name)()
  }

const note = (id: string, text: string): NewEvent => ({
  id,
  type: 'NoteTaken',
  schemaVersion: 1,
  data: { note: text },
  context: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: id,
    correlationId: id,
    causationId: null,
    actor: 'example',
    occurredAt: Date.now(),
  },
})

const store = await postgresEventStore({ ...at, clock: Date.now, projections: [notes] }).catch((error: unknown) => {
  if (error instanceof NewerSchema) console.error('A newer release has written this log: use that one.')
  throw error
})

const first = await store.append('note-1', noEvents, [note('e-1', 'Buy milk')], claim('today'))()
console.log(first._tag === 'Right' ? `written at position ${first.right.position}` : first.left._tag)

const second = await store.append('note-2', noEvents, [note('e-2', 'Buy bread')], claim('today'))()
console.log(second._tag === 'Right' ? 'written' : second.left._tag)

for await (const { position, data } of store.readAll(0n)) console.log(`${position}: ${data.note}`)

const head = await store.logHead()
await store.close()
if (head._tag === 'Right')
  console.log((await verify(at, { expected: [head.right] })).ok ? 'the log is sound' : 'altered')

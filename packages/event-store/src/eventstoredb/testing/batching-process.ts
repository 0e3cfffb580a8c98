import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { sampleEvent } from '../../conformance/sample.ts'
import { noEvents } from '../../port.ts'
import { eventStoreDb } from '../store.ts'

/**
 * A process with many large pending batch appends, whose failures it handles as far as a caller can.
 * Arguments: the server; 'bare' for the client without our adapter. Starts when its standard input says so.
 */
const [connectionString = '', side = ''] = process.argv.slice(2)
const text = 'x'.repeat(100_000)

const client = EventStoreDBClient.connectionString(connectionString)
const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 2_000, batchAppend: true })
const append = (stream: string): Promise<unknown> =>
  side === 'bare'
    ? client.appendToStream(stream, jsonEvent({ type: 'Foreign', data: { text } }))
    : store.append(stream, noEvents, [sampleEvent('a', { text })])()

await append('first')
process.stdout.write('connected\n')
await once(process.stdin, 'data')
const appends = Promise.allSettled(Array.from({ length: 200 }, (_, n) => append(`large-${n}`)))
for (let turn = 0; turn < 50; turn += 1) await nextTurn()
process.stdout.write('sent\n')
await appends
await store.close()
// By then Node has reported unhandled rejections.
await nextTurn()
process.exit(0)

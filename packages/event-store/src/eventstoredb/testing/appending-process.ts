import { sampleEvent } from '../../conformance/sample.ts'
import { noEvents } from '../../port.ts'
import { eventStoreDb } from '../store.ts'

/** A process that appends one event to an empty stream. Arguments: the server, a stream, an id. */
const [connectionString = '', stream = '', id = ''] = process.argv.slice(2)
const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 60_000 })
await store.append(stream, noEvents, [sampleEvent(id)])()
await store.close()

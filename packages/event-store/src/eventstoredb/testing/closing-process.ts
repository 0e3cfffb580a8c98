import { eventStoreDb } from '../store.ts'

/** A process that subscribes, closes its store at the first event, and has nothing more to do. Argument: the server. */
const [connectionString = ''] = process.argv.slice(2)
const store = eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 5_000 })
for await (const _ of store.subscribe(0n, new AbortController().signal)) await store.close()

import { EventStoreDBClient } from '@eventstore/db-client'

/** Sends a bigint with the bare client, catching what a caller can. Argument: the server. */
const [connectionString = ''] = process.argv.slice(2)
const client = EventStoreDBClient.connectionString(connectionString)
await client
  .appendToStream('sample-1', {
    id: '00000000-0000-4000-8000-000000000001',
    contentType: 'application/json',
    type: 'Foreign',
    data: { amount: 1n },
    metadata: {},
  })
  .catch(() => undefined)

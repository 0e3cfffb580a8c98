import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client'
import type { NewEvent } from '@quittance/domain'
import { noEvents } from '../../port.ts'
import { sealEvents } from '../encoding.ts'

export type BareAppends = {
  /** Starts a stream with one event, by a separate call as our adapter does. */
  readonly append: (stream: string) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The client without our adapter, for comparison: it sends prepared events with the adapter's bytes and waits for the
 * answer.
 */
export const bareAppends = (
  connectionString: string,
  planned: ReadonlyArray<{ readonly stream: string; readonly event: NewEvent }>,
): BareAppends => {
  const client = EventStoreDBClient.connectionString(connectionString)
  const sent = new Map(
    planned.map(({ stream, event }) => [stream, sealEvents(stream, noEvents, [event]).map((each) => each.sent)]),
  )
  return {
    append: async (stream) => {
      const credentials = { username: 'none', password: '' }
      await client.appendToStream(stream, sent.get(stream) ?? [], { expectedRevision: NO_STREAM, credentials })
    },
    close: client.dispose,
  }
}

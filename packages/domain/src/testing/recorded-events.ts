import type { Aggregate } from '../shared/aggregate.ts'
import type { EventContext, RecordedEvent } from '../shared/recorded.ts'
import { start } from './examples.ts'

/** A made-up hash: 64 digits that name the revision. */
const hashAt = (revision: number): string => (revision + 1).toString(16).padStart(64, '0')

/**
 * The events of the stream `<category>-<id>` as a log gives them, for tests of folds and projections. They occur a minute
 * apart from the examples' start on; `context` changes what is said of all of them. The hashes only look like hashes.
 */
export const recordedEvents = <Command, Event, State, Rejection>(
  { category, events: format }: Aggregate<Command, Event, State, Rejection>,
  id: string,
  events: ReadonlyArray<Event>,
  context: Partial<EventContext> = {},
): ReadonlyArray<RecordedEvent> =>
  events.map((event, revision) => {
    const occurredAt = start + revision * 60_000
    return {
      ...format.encodeEvent(event),
      id: `${id}/${revision}`,
      stream: `${category}-${id}`,
      revision: BigInt(revision),
      position: BigInt(revision + 1),
      recordedAt: occurredAt,
      metadata: {
        merchantId: 'mer_1',
        environment: 'testnet',
        commandId: `command ${revision}`,
        correlationId: 'correlation',
        causationId: null,
        actor: 'test',
        occurredAt,
        ...context,
        previousHash: hashAt(revision - 1),
        hash: hashAt(revision),
      },
    }
  })

import type { RecordedEvent } from '@quittance/domain'
import { LogUnreadable, type Side } from './failures.ts'

/** The same events. Errors: throws `LogUnreadable` for whatever the log throws. */
export async function* readable(log: Side, events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent, void> {
  try {
    yield* events
  } catch (cause) {
    throw new LogUnreadable(log, cause)
  }
}

/** Whether two logs hold the same event. The hash covers all that the event says, and everything before it in its stream. */
export const isSameEvent = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream && one.revision === other.revision && one.metadata.hash === other.metadata.hash

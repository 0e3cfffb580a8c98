import type { RecordedEvent } from '@quittance/domain'
import { LogUnreadable, type Side } from './failures.ts'

/** Passes events on. Errors: wraps whatever the log throws in `LogUnreadable`. */
export async function* readable(log: Side, events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent, void> {
  try {
    yield* events
  } catch (cause) {
    throw new LogUnreadable(log, cause)
  }
}

/** Whether two logs hold the same event. The hash covers the event and everything before it in its stream. */
export const isSameEvent = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream && one.revision === other.revision && one.metadata.hash === other.metadata.hash

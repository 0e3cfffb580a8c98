import type { RecordedEvent, UnixMs } from '@quittance/domain'
import { withoutOrphans } from './orphans.ts'

/**
 * What to answer for, in Unix milliseconds, both inclusive. `at`: what was true then, by when it happened (`occurredAt`).
 * `knownAt`: what the log held then, by when it was recorded (`recordedAt`). Null: now, and by all that is known now.
 */
export type Moment = { readonly at: UnixMs | null; readonly knownAt: UnixMs | null }

/**
 * The events of one stream at a moment. What was recorded is a beginning of the stream, also where the clock went back
 * once: nothing is known before its predecessor. What had happened may leave gaps, since a ledger is read after it closed.
 */
export const eventsAt = (
  stream: string,
  { at, knownAt }: Moment,
  events: ReadonlyArray<RecordedEvent>,
): ReadonlyArray<RecordedEvent> => {
  const known = knownAt === null ? events : upTo(events, ({ recordedAt }) => recordedAt > knownAt)
  if (at === null) return known
  const start = upTo(known, ({ metadata }) => metadata.occurredAt > at)
  if (start.length === known.length) return known
  const earlier = known.slice(start.length).filter(({ metadata }) => metadata.occurredAt <= at)
  return earlier.length === 0 ? start : withoutOrphans(stream, [...start, ...earlier])
}

/** The events before the first one that is later. */
const upTo = (
  events: ReadonlyArray<RecordedEvent>,
  isLater: (event: RecordedEvent) => boolean,
): ReadonlyArray<RecordedEvent> => {
  const later = events.findIndex(isLater)
  return later < 0 ? events : events.slice(0, later)
}

import type { PeerEvent, PeerLog, Position, Proposed } from './log.ts'

/** A client's expectation of a stream. */
export type Expected = 'any' | 'streamExists' | 'noStream' | { readonly revision: number }

export type Outcome =
  /** Written now or before; `position` is null where nothing was ever written. */
  | { readonly _tag: 'success'; readonly revision: number; readonly position: Position | null }
  /** `current` is the stream's last revision; -1 without events. */
  | { readonly _tag: 'wrongExpectedVersion'; readonly current: number }

const repeatAt = (log: PeerLog, stream: string, from: number, events: ReadonlyArray<Proposed>): PeerEvent | null => {
  const stored = log.streamForwards(stream, from, events.length)
  const isRepeat = stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id)
  return isRepeat ? (stored.at(-1) ?? null) : null
}

const success = ({ revision, position }: PeerEvent): Outcome => ({ _tag: 'success', revision, position })

/**
 * EventStoreDB's idempotency: with an expected revision, a write is a repeat if its ids are those stored from the next
 * revision on; without one, if its first id is in the stream and the rest follow it.
 * Source: EventStoreDB docs, "Optimistic concurrency and idempotence".
 */
export const judgeAppend = (
  log: PeerLog,
  stream: string,
  expected: Expected,
  events: ReadonlyArray<Proposed>,
  created: number,
): Outcome => {
  const current = log.lastRevision(stream)
  const wrong: Outcome = { _tag: 'wrongExpectedVersion', current }
  const write = (): Outcome =>
    events.length === 0
      ? { _tag: 'success', revision: current, position: null }
      : success(log.insert(stream, current, events, created))

  if (expected === 'any' || expected === 'streamExists') {
    if (expected === 'streamExists' && current < 0) return wrong
    const [first] = events
    const found = first === undefined ? null : log.revisionOf(stream, first.id)
    const repeat = found === null ? null : repeatAt(log, stream, found, events)
    return repeat === null ? write() : success(repeat)
  }
  const revision = expected === 'noStream' ? -1 : expected.revision
  if (revision === current) return write()
  const repeat = revision < current ? repeatAt(log, stream, revision + 1, events) : null
  return repeat === null ? wrong : success(repeat)
}

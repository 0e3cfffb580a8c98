import type { Aggregate, RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** An event that this release cannot read: a newer release wrote it, or somebody changed the log. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
  constructor({ type, schemaVersion, stream, revision }: RecordedEvent, problem: string) {
    super(`${type}/${schemaVersion} at ${stream}@${revision}: ${problem}`)
  }
}

/** The domain's event inside a recorded one. What an append has written, this version can read. */
export const decodedBy =
  <Command, Event, State, Rejection>({ events }: Aggregate<Command, Event, State, Rejection>) =>
  (recorded: RecordedEvent): Event => {
    const decoded = events.decodeOnce(recorded)
    if (E.isRight(decoded)) return decoded.right
    throw new UnreadableEvent(recorded, decoded.left.problem)
  }

import type { Aggregate, RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** The domain's event inside a recorded one. What an append has written, this version can read. */
export const decodedBy =
  <Command, Event, State, Rejection>({ events }: Aggregate<Command, Event, State, Rejection>) =>
  (recorded: RecordedEvent): Event => {
    const decoded = events.decodeEvent(recorded)
    if (E.isRight(decoded)) return decoded.right
    const { type, schemaVersion, stream, revision } = recorded
    throw new Error(`${type}/${schemaVersion} at ${stream}@${revision}: ${decoded.left.problem}`)
  }

import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { LastApplied } from './checkpoints.ts'
import { LogUnreadable, OtherLog } from './failures.ts'

/**
 * Throws `OtherLog` unless the log holds this event, which read models have applied last, at this position: behind it a
 * copy of the log goes on elsewhere. Throws `LogUnreadable`.
 */
export const requireLogOf = async (log: EventStore, last: LastApplied): Promise<void> => {
  const { stream, revision, hash, position } = last
  const slice = await log.readStream(stream, revision)()
  if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
  const [event] = slice.right.events
  if (event?.metadata.hash !== hash || event.position !== position) throw new OtherLog()
}

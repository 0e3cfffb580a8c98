import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { LastApplied } from './checkpoints.ts'
import { LogUnreadable, OtherLog } from './failures.ts'

/**
 * Throws `OtherLog` unless the log holds the event that read models have applied last, at the same position: otherwise it is
 * another log, or a copy that has diverged. Throws `LogUnreadable`.
 */
export const requireLogOf = async (log: EventStore, last: LastApplied): Promise<void> => {
  const { stream, revision, hash, position } = last
  const slice = await log.readStream(stream, revision)()
  if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
  const [event] = slice.right.events
  if (event?.metadata.hash !== hash || event.position !== position) throw new OtherLog()
}

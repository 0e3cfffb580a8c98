import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { LogUnreadable, OtherLog } from './failures.ts'

type Last = { readonly stream: string; readonly revision: bigint; readonly hash: string }

/** Throws `OtherLog` unless the log holds this event, which read models have applied last; throws `LogUnreadable`. */
export const requireLogOf = async (log: EventStore, { stream, revision, hash }: Last): Promise<void> => {
  const slice = await log.readStream(stream, revision)()
  if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
  if (slice.right.events[0]?.metadata.hash !== hash) throw new OtherLog()
}

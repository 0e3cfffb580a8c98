import { dayMs, type Environment, Freezes, type UnixMs, unixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Clock, deploymentTime } from '../../kernel/clock.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import type { Booking } from './entry.ts'

/** What is learned more than this after it happened counts when it was learned, so that older books are final. */
const mostLateMs = 10 * dayMs

/** As far as a clock that records may be behind the ledger's. */
const mostBehindMs = dayMs

/** When an entry counts: the close time of its ledger, or when it was decided; what came much later, when it was recorded. */
export const countsAt = ({ at }: Pick<Booking, 'at'>, recordedAt: number): UnixMs =>
  recordedAt - at > mostLateMs ? unixMs(recordedAt) : at

/** Positions `after` and up to `last`, and the time from which on nothing is recorded that counts. Null is no bound. */
export type LogRange = { readonly after: bigint; readonly last: bigint | null; readonly until: number | null }

/**
 * Where in the log is what counts in a time. All of the log, where it is not in the order of time from there on: in a sandbox
 * that is ahead of the clock that records, and where a merchant has arrived since, with events of earlier times. It begins at
 * 0n where the store cannot search by time. `last` tells progress alone.
 */
export const rangeOf = async (
  store: Pick<EventStore, 'lastBefore' | 'readStream'>,
  clock: Clock,
  environment: Environment,
  { from, to }: { readonly from: UnixMs | null; readonly to: UnixMs | null },
): Promise<E.Either<StoreUnavailable, LogRange>> => {
  const { lastBefore = () => async () => E.right(null) } = store
  const begin = from === null ? 0 : from - mostBehindMs
  const arrived = await mayHaveArrivedSince(store, begin)
  if (E.isLeft(arrived)) return arrived
  const isInOrder = !arrived.right && clock.now(environment) - deploymentTime(clock) < mostBehindMs
  const until = to === null || !isInOrder ? null : to + mostLateMs
  const after = isInOrder ? await lastBefore(begin)() : E.right(0n)
  if (E.isLeft(after)) return after
  const last = await lastBefore(until ?? Number.MAX_SAFE_INTEGER)()
  return E.isLeft(last) ? last : E.right({ after: after.right ?? 0n, last: last.right, until })
}

const decodeFreeze = decodedBy(Freezes)

/** Whoever arrives from another installation is suspended at once, behind events with the times of their own log. */
const mayHaveArrivedSince = async (
  store: Pick<EventStore, 'readStream'>,
  since: number,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const freezes = await store.readStream(`${Freezes.category}-${platform}`)()
  if (E.isLeft(freezes)) return freezes
  return E.right(
    freezes.right.events.some((recorded) => {
      const { type, data } = decodeFreeze(recorded)
      return type === 'Frozen' && data.scope === 'everything' && recorded.recordedAt >= since
    }),
  )
}

/** How much of a range is read, from 0 to 1; null where the store does not know its end. */
export const partRead = ({ after, last }: Omit<LogRange, 'until'>, position: bigint): number | null =>
  last === null || last <= after ? null : Math.min(1, Number(position - after) / Number(last - after))

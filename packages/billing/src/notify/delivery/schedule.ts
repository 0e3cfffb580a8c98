import { dayMs, hourMs, minuteMs, secondMs, type UnixMs, unixMs } from '@quittance/domain'

/** From each attempt to the next; after the last of them it stays a day. */
const betweenMs: ReadonlyArray<number> = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
]

/** How long an event is tried, from its first attempt on, and how long an endpoint may do nothing but fail. */
export const triedForMs = 5 * dayMs

/** Finished deliveries are shown for so long. */
export const keptMs = 30 * dayMs

const mostJitter = 0.1

export type Tried = { readonly attempts: number; readonly firstAt: UnixMs; readonly lastAt: UnixMs }

/**
 * When a failed attempt is followed by the next: as the schedule says, and up to a tenth later, so that who was down is
 * not asked for everything at once. The last is made five days after the first; null behind that: exhausted.
 * `random` is from 0 to below 1.
 */
export const nextAttempt = ({ attempts, firstAt, lastAt }: Tried, random: number): UnixMs | null => {
  const last = firstAt + triedForMs
  if (lastAt >= last) return null
  const wait = betweenMs[attempts - 1] ?? dayMs
  return unixMs(Math.min(last, lastAt + wait + Math.floor(wait * mostJitter * random)))
}

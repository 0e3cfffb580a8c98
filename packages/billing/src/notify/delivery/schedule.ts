import { dayMs, hourMs, minuteMs, secondMs, type UnixMs, unixMs } from '@quittance/domain'

/** The pauses between attempts. After the last one, each pause is a day. */
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

/**
 * How long an event is retried after its first attempt, and how long an endpoint may only fail before it is disabled.
 */
export const triedForMs = 5 * dayMs

/** How long ended deliveries are listed. */
export const keptMs = 30 * dayMs

const mostJitter = 0.1

export type Tried = { readonly attempts: number; readonly firstAt: UnixMs; readonly lastAt: UnixMs }

/**
 * When to retry a failed attempt: by the schedule, and up to a tenth later, so that an endpoint that was down does not
 * receive everything at once. The last attempt is five days after the first; null after it. `random` is from 0 to below
 * 1.
 */
export const nextAttempt = ({ attempts, firstAt, lastAt }: Tried, random: number): UnixMs | null => {
  const last = firstAt + triedForMs
  if (lastAt >= last) return null
  const wait = betweenMs[attempts - 1] ?? dayMs
  return unixMs(Math.min(last, lastAt + wait + Math.floor(wait * mostJitter * random)))
}

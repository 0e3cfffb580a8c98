import { setTimeout as pause } from 'node:timers/promises'

/** Polls `read` until its answer is the expected one; throws with the last answer after the deadline. */
export const eventually = async <A>(
  read: () => Promise<A>,
  isReached: (value: A) => boolean,
  deadlineMs = 120_000,
): Promise<A> => {
  const deadline = AbortSignal.timeout(deadlineMs)
  for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, 50)) {
    const value = await read()
    if (isReached(value)) return value
    if (deadline.aborted) throw new Error(`not reached in ${deadlineMs} ms, but ${JSON.stringify(value)}`)
    await pause(waitMs)
  }
}

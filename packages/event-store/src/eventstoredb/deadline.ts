/** The server did not answer in time. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(deadlineMs: number) {
    super(`No answer within ${Math.round(deadlineMs)} ms`)
  }
}

/** The work's outcome, or `DeadlinePassed` thrown; the work itself is left to its own end. */
export const within = async <A>(work: Promise<A>, deadlineMs: number): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlinePassed(deadlineMs)), deadlineMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

const shortestPauseMs = 25
const longestPauseMs = 2_000

/** How long to wait before another attempt (0, 1, 2, …): twice as long each time, up to a bound, and never in step. */
export const backoffMs = (attempt: number): number => {
  const bound = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(attempt, 10))
  return bound / 2 + (Math.random() * bound) / 2
}

/** Waits, or stops waiting when the signal aborts. */
export const pause = (delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted === true) finish()
  })

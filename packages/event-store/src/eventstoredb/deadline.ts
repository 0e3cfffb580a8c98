/** The server did not answer in time. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(deadlineMs: number) {
    super(`No answer within ${Math.round(deadlineMs)} ms`)
  }
}

/** Answers the work's outcome, or throws `DeadlinePassed`; the work itself continues. */
export const within = <A>(work: Promise<A>, deadlineMs: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlinePassed(deadlineMs)), deadlineMs)
    work.then(
      (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      },
      (cause: unknown) => {
        clearTimeout(timer)
        reject(cause)
      },
    )
  })

/** The deadline of a call with several steps. */
export type Deadline = {
  readonly leftMs: () => number
  /** Begins a step, unless it is too late, and waits for it until the deadline. Errors: throws `DeadlinePassed`. */
  readonly keep: <A>(step: (leftMs: number) => Promise<A>) => Promise<A>
}

/** A deadline this many milliseconds from now. */
export const deadlineIn = (deadlineMs: number): Deadline => {
  const end = performance.now() + deadlineMs
  const leftMs = (): number => end - performance.now()
  return {
    leftMs,
    keep: (step) => {
      const left = leftMs()
      return left > 0 ? within(step(left), left) : Promise.reject(new DeadlinePassed(deadlineMs))
    },
  }
}

const shortestPauseMs = 25
const longestPauseMs = 2_000

/** The pause before a retry (0, 1, 2, …): doubled each time up to a bound, with jitter. */
export const backoffMs = (attempt: number): number => {
  const bound = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(attempt, 10))
  return bound / 2 + (Math.random() * bound) / 2
}

/** Waits until the time is over or the signal aborts. */
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

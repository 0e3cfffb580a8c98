import { isStoreFailure } from '@quittance/event-store/sqlite'

/** Closes ledgers on a timer. */
export interface Ticker {
  readonly start: () => void
  readonly stop: () => void
  /** Whether the timer will close the next ledger. */
  readonly isTicking: () => boolean
  /** Pauses the timer during the work. */
  readonly pausedWhile: <A>(work: () => Promise<A>) => Promise<A>
}

/** While the file cannot be written, the next ledger waits so long. */
const retryMs = 250

/**
 * `dueInMs` is the time until the next ledger is due. A ledger that cannot be written (full disk, locked file) is closed
 * later.
 */
export const tickerOf = (dueInMs: () => number, close: () => void): Ticker => {
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let pauses = 0

  const schedule = (waitMs: () => number = dueInMs): void => {
    clearTimeout(timer)
    timer = undefined
    if (!isStarted || pauses > 0) return
    timer = setTimeout(tick, Math.max(0, waitMs()))
    timer.unref()
  }
  const tick = (): void => {
    try {
      close()
      schedule()
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      schedule(() => retryMs)
    }
  }

  return {
    start: () => {
      isStarted = true
      schedule()
    },
    stop: () => {
      isStarted = false
      schedule()
    },
    isTicking: () => timer !== undefined,
    pausedWhile: async (work) => {
      pauses += 1
      schedule()
      try {
        return await work()
      } finally {
        pauses -= 1
        schedule()
      }
    },
  }
}

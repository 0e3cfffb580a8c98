/** The time source for pauses and time-outs. */
export type Clock = {
  /** Milliseconds since an arbitrary start; never goes back. */
  readonly now: () => number
  /** Resolves after this time, or when the signal aborts; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The clock and the timers of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(end, ms)
      function end(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    }),
}

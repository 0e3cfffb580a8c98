/** Time as the client needs it: to wait between attempts, and to bound how long one may take. */
export type Clock = {
  /** Milliseconds from any beginning; never goes back. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal aborts; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

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

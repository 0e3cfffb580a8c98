import type { Clock } from '../clock.ts'

/** A clock that only `pass` moves. */
export type ManualClock = Clock & {
  /** Ends a wait of exactly this time, once there is one. */
  readonly pass: (ms: number) => Promise<void>
}

export const manualClock = (): ManualClock => {
  let now = 0
  const waits = new Set<{ readonly ms: number; readonly end: () => void }>()
  let tell = (): void => {}
  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const wait = { ms, end: () => resolve(void waits.delete(wait)) }
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', wait.end, { once: true })
        waits.add(wait)
        tell()
      }),
    pass: async (ms) => {
      const found = () => [...waits].find((wait) => wait.ms === ms)
      while (found() === undefined) {
        await new Promise<void>((resolve) => {
          tell = resolve
        })
      }
      now += ms
      found()?.end()
    },
  }
}

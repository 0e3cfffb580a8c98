import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { LogReader } from './read.ts'

/** The maximum delay before another process's append is noticed. */
const pollIntervalMs = 25

/** Wakes readers at the end of the log. */
export type WakeUps = {
  /** Called after each commit of this process, and on closing. */
  readonly wake: () => void
  /** Resolves at the next wake-up or abort, or when it is time to poll for other processes' appends. */
  readonly sleep: (signal: AbortSignal) => Promise<void>
}

export const wakeUps = (): WakeUps => {
  const sleepers = new Set<() => void>()
  return {
    wake: () => {
      for (const rouse of [...sleepers]) rouse()
    },
    sleep: (signal) =>
      new Promise((resolve) => {
        const rouse = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', rouse)
          sleepers.delete(rouse)
          resolve()
        }
        const timer = setTimeout(rouse, pollIntervalMs)
        signal.addEventListener('abort', rouse)
        sleepers.add(rouse)
        if (signal.aborted) rouse()
      }),
  }
}

/** Every matching event in (after, end]. Yields to other work between batches. */
export async function* readUpTo(log: LogReader, after: number, end: number): AsyncGenerator<RecordedEvent, void> {
  let position = after
  while (position < end) {
    const { events, reached } = log.batch(position, end)
    yield* events
    position = reached
    if (position < end) await nextTurn()
  }
}

/** As `readUpTo`, then later appends until the signal aborts. */
export async function* follow(
  log: LogReader,
  wakes: WakeUps,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void> {
  let position = after
  while (!signal.aborted) {
    const { events, reached } = log.batch(position, log.end())
    for (const event of events) {
      yield event
      if (signal.aborted) return
    }
    if (reached > position) await nextTurn()
    else await wakes.sleep(signal)
    position = reached
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { OperatorLog } from '@quittance/host'
import type { Take } from './deal.ts'
import { type MainProcess, type Order, Told } from './messages.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Processes that answer requests beside the main one, and do nothing else. */
export type Siblings = {
  /** Starts them, and each one again that ends. */
  readonly start: (main: MainProcess) => void
  /** Those that can answer. */
  readonly takers: () => ReadonlyArray<Take>
  /** The times of requests that all have told, those included that have ended. */
  readonly requests: () => ReadonlyArray<Told['requests']>
  /** Ends them in order, and kills those that take too long. */
  readonly stop: () => Promise<unknown>
}

const [firstPauseMs, longestPauseMs] = [100, 10_000]
/** After this time, the next pause is the first one again. */
const provenMs = 60_000
/** Longer than a sibling gives the requests that it is at. */
const stopWithinMs = 25_000

export const siblings = (count: number, log: Pick<OperatorLog, 'warn'>): Siblings => {
  const running = new Map<ChildProcess, Promise<unknown>>()
  const told = new Map<ChildProcess, Told['requests']>()
  const stopping = new AbortController()

  const run = (main: MainProcess): Promise<string | number | null> => {
    const child = fork(program, ['sibling', main.url, main.metricsUrl])
    const ended = new Promise<string | number | null>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? code)),
    )
    running.set(child, ended)
    // Whatever cannot be sent belongs to a process that has just ended, which is told below.
    child.on('error', () => undefined)
    child.on('message', (message) => {
      if (Told.is(message)) told.set(child, message.requests)
    })
    return ended.finally(() => running.delete(child))
  }
  const keepRunning = async (main: MainProcess): Promise<void> => {
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const end = await run(main)
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > provenMs) pauseMs = firstPauseMs
      log.warn({ end, pauseMs }, 'a process that answers requests has ended, and is started again')
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  }
  const order = (child: ChildProcess, what: Order, ...connection: Parameters<Take> | []): void =>
    void child.send(what, connection[0])

  return {
    start: (main) => {
      for (let n = 0; n < count; n += 1) void keepRunning(main)
    },
    takers: () =>
      [...running.keys()]
        .filter((child) => told.has(child) && child.connected)
        .map((child) => (connection) => order(child, 'answer', connection)),
    requests: () => [...told.values()],
    stop: () => {
      stopping.abort()
      const end = async ([child, ended]: readonly [ChildProcess, Promise<unknown>]): Promise<void> => {
        const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
        // One that does not answer yet has nothing to finish.
        if (told.has(child)) order(child, 'stop')
        else child.kill('SIGKILL')
        await ended
        clearTimeout(late)
      }
      return Promise.all([...running].map(end))
    },
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { OperatorLog } from '@quittance/host'
import { AggregatorRegistry } from 'prom-client'
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
  readonly requests: () => Promise<ReadonlyArray<Told['requests']>>
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
  const takers = new Map<ChildProcess, Take>()
  const told = new Map<ChildProcess, Told['requests']>()
  /** What those told that have ended, added up. */
  let ofEnded: Promise<Told['requests']> = Promise.resolve([])
  const stopping = new AbortController()

  const run = (main: MainProcess): Promise<string | number | null> => {
    const child = fork(program, ['sibling', main.url, main.metricsUrl])
    const given = new Set<Socket>()
    const give: Take = (connection) => {
      given.add(connection)
      // Node.js itself would close it only once the sibling has got it, and never if that dies before.
      child.send('answer' satisfies Order, connection, { keepOpen: true }, () => {
        given.delete(connection)
        connection.destroy()
      })
    }
    child.on('message', (message) => {
      if (!Told.is(message) || !running.has(child)) return
      takers.set(child, give)
      told.set(child, message.requests)
    })
    const ended = new Promise<string | number | null>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code))
      child.on('error', () => child.pid === undefined && resolve('could not be started'))
    }).finally(() => {
      running.delete(child)
      takers.delete(child)
      const last = told.get(child) ?? []
      told.delete(child)
      ofEnded = ofEnded.then((before) => AggregatorRegistry.aggregate([before, last]).getMetricsAsJSON())
      // They have not been sent, and their clients would wait for ever.
      for (const connection of given) connection.destroy()
    })
    running.set(child, ended)
    return ended
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
  return {
    start: (main) => {
      for (let n = 0; n < count; n += 1) void keepRunning(main)
    },
    takers: () => [...takers.values()],
    requests: async () => [await ofEnded, ...told.values()],
    stop: () => {
      stopping.abort()
      const end = async ([child, ended]: readonly [ChildProcess, Promise<unknown>]): Promise<void> => {
        const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
        // One that does not answer yet has nothing to finish.
        if (takers.has(child)) child.send('stop' satisfies Order)
        else child.kill('SIGKILL')
        await ended
        clearTimeout(late)
      }
      return Promise.all([...running].map(end))
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'

const betweenStepsMs = 250

/** What the workers tell an operator. */
export type WorkerLog = {
  readonly warn: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

/**
 * Runs each worker's steps until the signal aborts. A step that stops early is tried again; the log hears of each new
 * reason once, and when it is over.
 */
export const runWorkers = async (
  workers: ReadonlyArray<Worker>,
  log: WorkerLog,
  signal: AbortSignal,
): Promise<void> => {
  await Promise.all(workers.map((worker) => runWorker(worker, log, signal)))
}

const runWorker = async (worker: Worker, log: WorkerLog, signal: AbortSignal): Promise<void> => {
  let known: string | null = null
  while (!signal.aborted) {
    const reason = await stepOnce(worker, log)
    if (reason !== known) log.warn({ reason }, reason === null ? 'the worker goes on' : 'the worker is held up')
    known = reason
    await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Why the step stopped early, or null. A defect is logged whole and tried again: nothing was written by halves. */
const stepOnce = async (worker: Worker, log: WorkerLog): Promise<string | null> => {
  try {
    const done = await worker.step()
    return E.isRight(done) ? null : done.left._tag
  } catch (defect) {
    log.error({ err: defect }, 'a defect in the worker')
    return 'Defect'
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Deliverer, Worker } from '@quittance/billing'
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
    const held = await stepOnce(worker)
    const reason = held?.reason ?? null
    if (reason !== known) tell(held, log)
    known = reason
    await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Delivers until the signal aborts. The log hears of each new defect once: what it was about is tried again. */
export const runDeliverer = (deliverer: Deliverer, log: WorkerLog, signal: AbortSignal): Promise<void> => {
  let known: string | null = null
  return deliverer.run(signal, (defect) => {
    const reason = String(defect)
    if (reason !== known) log.error({ err: defect }, 'a defect in delivery')
    known = reason
  })
}

/** Why a step stopped early. A defect is tried again: nothing was written by halves. */
type HeldUp = { readonly reason: string; readonly defect: unknown }

const tell = (held: HeldUp | null, log: WorkerLog): void => {
  if (held === null) log.warn({ reason: null }, 'the worker goes on')
  else if (held.defect !== null) log.error({ err: held.defect }, 'a defect in the worker')
  else log.warn({ reason: held.reason }, 'the worker is held up')
}

const stepOnce = async (worker: Worker): Promise<HeldUp | null> => {
  try {
    const done = await worker.step()
    return E.isRight(done) ? null : { reason: done.left._tag, defect: null }
  } catch (defect) {
    return { reason: String(defect), defect }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Deliverer, Worker } from '@quittance/billing'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { type AdvanceWork, advanceWork } from './advance-work.ts'
import type { OperatorLog } from './operator-log.ts'
import { configuredWorkers, type Workers } from './workers.ts'

const betweenStepsMs = 250

type DefectLog = Pick<OperatorLog, 'warn' | 'error'>

/** The work that needs no request: worker steps and webhook deliveries. */
export type BackgroundWork = {
  /** How many ledgers have a worker. */
  readonly ledgers: number
  /** Works until the signal aborts, then finishes what is under way. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
  /** For one advance of the sandbox's clock. */
  readonly forAdvance: () => AdvanceWork
}

export const backgroundWork = (
  all: Workers,
  deliverer: Deliverer,
  log: DefectLog,
  watch: (signal: AbortSignal) => Promise<unknown>,
): BackgroundWork => {
  const workers = configuredWorkers(all)
  return {
    ledgers: workers.length,
    run: (signal) =>
      Promise.all([runWorkers(workers, log, signal), runDeliverer(deliverer, log, signal), watch(signal)]),
    forAdvance: () => advanceWork(all.testnet, deliverer),
  }
}

/**
 * Runs each worker's steps until the signal aborts. Retries a step that stops early, and logs each new reason once, and
 * its end.
 */
export const runWorkers = async (
  workers: ReadonlyArray<Worker>,
  log: DefectLog,
  signal: AbortSignal,
): Promise<void> => {
  await Promise.all(workers.map((worker) => runWorker(worker, log, signal)))
}

const runWorker = async (worker: Worker, log: DefectLog, signal: AbortSignal): Promise<void> => {
  let lastReason: string | null = null
  while (!signal.aborted) {
    const held = await stepOnce(worker)
    const reason = held?.reason ?? null
    if (reason !== lastReason) logProgress(held, log)
    lastReason = reason
    await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Delivers until the signal aborts. Logs each new defect once: the delivery is retried. */
const runDeliverer = (deliverer: Deliverer, log: DefectLog, signal: AbortSignal): Promise<void> => {
  let lastReason: string | null = null
  return deliverer.run(signal, (defect) => {
    const reason = String(defect)
    if (reason !== lastReason && isStoreFailure(defect)) log.warn({ reason }, 'deliveries cannot continue')
    else if (reason !== lastReason) log.error({ err: defect }, 'a defect in delivery')
    lastReason = reason
  })
}

/** Why a step stopped early. A defect is retried: nothing is half written. */
type HeldUp = { readonly reason: string; readonly defect: unknown }

const logProgress = (held: HeldUp | null, log: DefectLog): void => {
  if (held === null) log.warn({ reason: null }, 'the worker continues')
  else if (held.defect !== null) log.error({ err: held.defect }, 'a defect in the worker')
  else log.warn({ reason: held.reason }, 'the worker cannot continue')
}

const stepOnce = async (worker: Worker): Promise<HeldUp | null> => {
  try {
    const done = await worker.step()
    return E.isRight(done) ? null : { reason: done.left._tag, defect: null }
  } catch (cause) {
    return isStoreFailure(cause) ? { reason: String(cause), defect: null } : { reason: String(cause), defect: cause }
  }
}

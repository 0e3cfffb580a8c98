import { setTimeout as pause } from 'node:timers/promises'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { Deliverer } from '../notify/delivery/deliverer.ts'
import type { StepFailure, Worker } from './worker.ts'
import type { WorkerInRole } from './worker-in-role.ts'

/** What a loop tells about its work. What is held up is tried again, since nothing is half written. */
export type LoopReport =
  /** The ledger, the log or the disk does not answer. `reason` is for operators. */
  | { readonly _tag: 'HeldUp'; readonly reason: string }
  /** Another process does this work, as it should. This one takes over when that one ends. */
  | { readonly _tag: 'StandsBy' }
  /** A bug, or a log that this release cannot read. */
  | { readonly _tag: 'Defect'; readonly cause: unknown }
  /** The work goes on after one of the others. */
  | { readonly _tag: 'Continues' }

/** Called once for each new reason, and once when it is over. It must not throw. */
export type TellReport = (report: LoopReport) => void

const betweenStepsMs = 250

/**
 * Takes a worker's steps, a quarter of a second apart, until the signal aborts. Resolves after the step that is under
 * way then, so the store may be closed next, and gives the worker's role to another process. Never rejects.
 */
export const runWorker = async (
  worker: Pick<Worker, 'step'> & Partial<Pick<WorkerInRole, 'standDown'>>,
  signal: AbortSignal,
  tell: TellReport = () => undefined,
): Promise<void> => {
  const report = eachNew(tell)
  while (!signal.aborted) {
    report(await outcomeOf(worker))
    await pause(betweenStepsMs, undefined, { signal }).catch(() => undefined)
  }
  // A role that cannot be given away ends by itself.
  await worker.standDown?.().catch(() => undefined)
}

/**
 * Delivers until the signal aborts. Open attempts may then be answered for a second; the others are left to the next
 * run. Resolves when nothing is under way, so the store may be closed next. Never rejects.
 */
export const runDeliverer = (
  deliverer: Pick<Deliverer, 'run'>,
  signal: AbortSignal,
  tell: TellReport = () => undefined,
): Promise<void> => {
  const report = eachNew(tell)
  return deliverer.run(
    signal,
    (defect) => report(failed(defect)),
    () => report(continues),
  )
}

const continues: LoopReport = { _tag: 'Continues' }

const failed = (cause: unknown): LoopReport =>
  isStoreFailure(cause) ? { _tag: 'HeldUp', reason: String(cause) } : { _tag: 'Defect', cause }

const stopped = ({ _tag }: StepFailure): LoopReport =>
  _tag === 'HeldElsewhere' || _tag === 'RoleLost' ? { _tag: 'StandsBy' } : { _tag: 'HeldUp', reason: _tag }

const outcomeOf = async (worker: Pick<Worker, 'step'>): Promise<LoopReport> => {
  try {
    const done = await worker.step()
    return E.isRight(done) ? continues : stopped(done.left)
  } catch (cause) {
    return failed(cause)
  }
}

const reasonOf = (report: LoopReport): string | null => {
  switch (report._tag) {
    case 'HeldUp':
      return report.reason
    case 'StandsBy':
      return report._tag
    case 'Defect':
      return String(report.cause)
    case 'Continues':
      return null
  }
}

const eachNew = (tell: TellReport): TellReport => {
  let lastReason: string | null = null
  return (report) => {
    const reason = reasonOf(report)
    if (reason !== lastReason) tell(report)
    lastReason = reason
  }
}

import {
  type Deliverer,
  type LogKeeper,
  type LoopReport,
  type Mailing,
  runDeliverer,
  runWorker,
  type Worker,
} from '@quittance/billing'
import { type AdvanceWork, advanceWork } from './advance-work.ts'
import type { OperatorLog } from './operator-log.ts'
import { configuredWorkers, type Workers } from './workers.ts'

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
  keeper: Pick<LogKeeper, 'step' | 'standDown'>,
  deliverer: Deliverer,
  mailing: Pick<Mailing, 'settle'>,
  log: DefectLog,
  watch: (signal: AbortSignal) => Promise<unknown>,
): BackgroundWork => {
  const workers = configuredWorkers(all)
  return {
    ledgers: workers.length,
    run: (signal) =>
      Promise.all([runWorkers([...workers, keeper], log, signal), deliver(deliverer, log, signal), watch(signal)]),
    forAdvance: () => {
      const work = advanceWork(all.testnet, deliverer)
      return {
        ...work,
        settle: async () => {
          await work.settle()
          // What keeps mails from going out is told by whoever sends them all the time.
          await mailing.settle().catch(() => undefined)
        },
      }
    },
  }
}

/** Runs each worker's steps until the signal aborts. Logs each new reason that holds one up, and its end. */
export const runWorkers = async (
  workers: ReadonlyArray<Pick<Worker, 'step'>>,
  log: DefectLog,
  signal: AbortSignal,
): Promise<void> => {
  const tell = logged(log, {
    heldUp: 'the worker cannot continue',
    defect: 'a defect in the worker',
    continues: 'the worker continues',
  })
  await Promise.all(workers.map((worker) => runWorker(worker, signal, tell)))
}

const deliver = (deliverer: Deliverer, log: DefectLog, signal: AbortSignal): Promise<void> =>
  runDeliverer(
    deliverer,
    signal,
    logged(log, {
      heldUp: 'deliveries cannot continue',
      defect: 'a defect in delivery',
      continues: 'deliveries continue',
    }),
  )

type Messages = Readonly<Record<'heldUp' | 'defect' | 'continues', string>>

const logged =
  (log: DefectLog, messages: Messages) =>
  (report: LoopReport): void => {
    switch (report._tag) {
      case 'HeldUp':
        log.warn({ reason: report.reason }, messages.heldUp)
        return
      case 'Defect':
        log.error({ err: report.cause }, messages.defect)
        return
      case 'Continues':
        log.warn({ reason: null }, messages.continues)
    }
  }

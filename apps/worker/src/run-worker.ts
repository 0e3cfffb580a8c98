import { type BackgroundWork, type Closers, closeAll, type OperatorLog, type SandboxNode } from '@quittance/host'
import type { RunWorker } from './tokens.ts'

/**
 * Follows the ledgers, works off what is due and delivers.
 * The process that serves the sandbox closes its ledgers: until one does, the ledger stands still.
 */
export const runWorker =
  (work: BackgroundWork, sandbox: SandboxNode | null, log: OperatorLog, closers: Closers): RunWorker =>
  async (signal) => {
    log.info(
      { ledgers: work.ledgers, isSandboxServed: sandbox === null ? null : !sandbox.isOwn },
      'the worker is ready',
    )
    await work.run(signal)
    await closeAll(closers)
    log.info({}, 'the worker has ended')
  }

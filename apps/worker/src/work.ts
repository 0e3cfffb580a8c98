import {
  type Config,
  type ConfigProblem,
  openPlatform,
  runDeliverer,
  runWorkers,
  tellAlarm,
  type WorkerLog,
} from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'

type Log = WorkerLog & { readonly info: (facts: object, message: string) => void }

/**
 * Follows the ledgers, works off what is due and delivers until the signal aborts; then ends the running steps and closes.
 * The sandbox's ledgers are closed by the process that serves it: until one does, the ledger stands still.
 */
export const work = async (
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<E.Either<ReadonlyArray<ConfigProblem>, void>> => {
  const opened = await openPlatform(
    config,
    (alarm) => tellAlarm(log, alarm),
    (trouble, isOver, detail) => log.warn({ trouble, detail }, isOver ? 'rates: over' : 'rates: trouble'),
  )
  if (E.isLeft(opened)) return opened
  const { workers, deliverer, sandbox, close } = opened.right
  log.info(
    { ledgers: workers.length, isSandboxServed: sandbox === null ? null : !sandbox.isOwn },
    'the worker is ready',
  )
  await Promise.all([runWorkers(workers, log, signal), runDeliverer(deliverer, log, signal)])
  await close()
  log.info({}, 'the worker has ended')
  return E.right(undefined)
}

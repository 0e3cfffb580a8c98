import { BACKGROUND_WORK, CLOSERS, CONFIG, logStream, OPERATOR_LOG, SANDBOX_NODE, traceIdsNow } from '@quittance/host'
import { ContainerModule } from 'inversify'
import { pino } from 'pino'
import { runWorker } from './run-worker.ts'
import { RUN_WORKER } from './tokens.ts'

export const workerModule = new ContainerModule(({ bind }) => {
  bind(OPERATOR_LOG).toResolvedValue(
    ({ logLevel }) => pino({ level: logLevel, mixin: traceIdsNow }, logStream()),
    [CONFIG],
  )
  bind(RUN_WORKER).toResolvedValue(runWorker, [BACKGROUND_WORK, SANDBOX_NODE, OPERATOR_LOG, CLOSERS])
})

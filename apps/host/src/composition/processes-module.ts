import * as billing from '@quittance/billing'
import { ContainerModule } from 'inversify'
import { openArrivals } from '../arrivals.ts'
import { backgroundWork } from '../background-work.ts'
import { closedLater } from '../closers.ts'
import { watchFreezes } from '../freeze-watch.ts'
import { healthOf } from '../health.ts'
import { runMailing } from '../mail/run-mailing.ts'
import { watchRelease } from '../release-watch.ts'
import { wakeOnWrites } from '../wake-on-writes.ts'
import { catchUpWith, workersOf } from '../workers.ts'
import { fileProbe } from '../writes-readiness.ts'
import * as host from './tokens.ts'

/** What goes on without a request, and how it fares. */
export const processesModule = new ContainerModule(({ bind }) => {
  bind(host.WORKERS).toResolvedValue(workersOf, [billing.SERVICES, host.ALARM, host.ROLES])
  bind(host.ARRIVALS).toResolvedValue(openArrivals)
  bind(host.DELIVERER).toResolvedValue(
    (services, { deliveryAllow }, closers, roles, { tell }) =>
      billing.createDeliverer(services, {
        sender: closedLater(closers, billing.sender({ allowed: deliveryAllow })),
        roles,
        onArrival: tell,
      }),
    [billing.SERVICES, host.CONFIG, host.CLOSERS, host.ROLES, host.ARRIVALS],
  )
  bind(host.LOG_KEEPER).toResolvedValue(
    (services, { witnesses }, roles, raise) =>
      billing.logKeeper(services, { roles, witnesses, onTrouble: (trouble) => raise(trouble, null) }),
    [billing.SERVICES, host.CONFIG, host.ROLES, host.ALARM],
  )
  bind(host.BACKGROUND_WORK).toResolvedValue(
    (workers, keeper, deliverer, log, services, raise, untilWritten, release) =>
      backgroundWork(workers, keeper, deliverer, billing.createMailing(services), log, (signal) =>
        Promise.all([
          watchFreezes(services.freezing, raise, signal),
          untilWritten === null ? undefined : wakeOnWrites(services, untilWritten, signal),
          release === null ? undefined : watchRelease(release, log, signal),
        ]),
      ),
    [
      host.WORKERS,
      host.LOG_KEEPER,
      host.DELIVERER,
      host.OPERATOR_LOG,
      billing.SERVICES,
      host.ALARM,
      host.UNTIL_WRITTEN,
      host.RELEASE,
    ],
  )
  bind(host.RUN_MAILING).toResolvedValue(runMailing, [billing.SERVICES, host.OPERATOR_LOG])
  bind(host.CATCH_UP).toResolvedValue(catchUpWith, [host.WORKERS])
  bind(host.WRITES).toResolvedValue(
    (store, sandbox) => ({ ...store, ...(sandbox === null ? {} : { 'sandbox.db': fileProbe(sandbox.database) }) }),
    [host.STORE_WRITES, host.SANDBOX_NODE],
  )
  bind(host.HEALTH).toResolvedValue(healthOf, [
    billing.SERVICES,
    host.WORKERS,
    host.READ_PROGRESS,
    host.RATE_WATCH,
    host.WRITES,
    host.ARRIVALS,
    host.RELEASE,
    host.LOG_KEEPER,
  ])
})

import { BILLING, CLOCK } from '@quittance/billing'
import { ledgerModule, sandboxRatesModule } from '@quittance/ledger'
import { ContainerModule } from 'inversify'
import { closeAll } from '../closers.ts'
import { configuredWorkers } from '../workers.ts'
import type { Foundation } from './foundation.ts'
import { foundationModule } from './foundation-module.ts'
import { networksModule } from './networks-module.ts'
import { processesModule } from './processes-module.ts'
import { storeModules } from './store-modules.ts'
import * as host from './tokens.ts'

/** What every app stands on. The modules need `host.OPERATOR_LOG`, which each app binds. */
export const hostModules = (foundation: Foundation): ReadonlyArray<ContainerModule> => [
  foundationModule(foundation),
  ...storeModules(foundation),
  ledgerModule,
  sandboxRatesModule,
  networksModule,
  processesModule,
  platformModule,
]

const platformModule = new ContainerModule(({ bind }) => {
  bind(host.PLATFORM).toResolvedValue(
    (core, workers, deliverer, catchUp, { readiness }, clock, sandbox, closers) => ({
      billing: core,
      workers: configuredWorkers(workers),
      deliverer,
      catchUp,
      readiness,
      clock,
      sandbox,
      close: () => closeAll(closers),
    }),
    [BILLING, host.WORKERS, host.DELIVERER, host.CATCH_UP, host.HEALTH, CLOCK, host.SANDBOX_NODE, host.CLOSERS],
  )
})

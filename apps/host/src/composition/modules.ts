import {
  apartBillingModule,
  BILLING,
  CLAIMS_DATABASE,
  CLOCK,
  createDeliverer,
  EVENT_LOG,
  embeddedBillingModule,
  MASTER_KEY,
  NETWORKS,
  OMNIBUS_ACCOUNTS,
  PROJECTOR,
  PUBLIC_URL,
  RATE_MEMORY,
  ROWS_DATABASE,
  SERVICES,
  sender,
  VAULT_DATABASE,
} from '@quittance/billing'
import {
  openDatabase,
  SQLITE_EVENT_STORE,
  SQLITE_EVENT_STORE_OPTIONS,
  sqliteEventStoreModule,
} from '@quittance/event-store/sqlite'
import {
  LEDGER_CONFIG,
  LEDGER_GATEWAYS,
  ledgerModule,
  liveRates,
  RATE_SOURCE,
  rateWatch,
  sandboxRatesModule,
} from '@quittance/ledger'
import { inlineProjections } from '@quittance/projections'
import { ContainerModule } from 'inversify'
import { logAlarm } from '../alarm.ts'
import { backgroundWork } from '../background-work.ts'
import { closeAll } from '../closers.ts'
import { healthOf } from '../health.ts'
import { embeddedProgress, serverProgress } from '../log-progress.ts'
import { ledgerConfig, liveQuoter, networks, pathsBy } from '../networks.ts'
import { publicAddress } from '../public-address.ts'
import { catchUpWith, configuredWorkers, workersOf } from '../workers.ts'
import type { RemoteLog } from './event-log.ts'
import type { Foundation } from './foundation.ts'
import {
  ALARM,
  BACKGROUND_WORK,
  CATCH_UP,
  CLOSERS,
  CONFIG,
  DATA_DIR,
  DELIVERER,
  HEALTH,
  LIVE_QUOTER,
  LIVE_RATES,
  OPERATOR_LOG,
  PATHS,
  PLATFORM,
  PUBLIC_ADDRESS,
  RATE_WATCH,
  READ_PROGRESS,
  SANDBOX_NODE,
  WORKERS,
} from './tokens.ts'

/** What every app stands on. The modules need `OPERATOR_LOG`, which each app binds. */
export const hostModules = (foundation: Foundation): ReadonlyArray<ContainerModule> => [
  foundationModule(foundation),
  ...(foundation.remoteLog === null
    ? [sqliteEventStoreModule, embeddedBillingModule, embeddedLogModule]
    : [apartBillingModule, remoteLogModule(foundation.remoteLog)]),
  vaultModule,
  ledgerModule,
  sandboxRatesModule,
  networksModule,
  processesModule,
  platformModule,
]

const foundationModule = ({ config, files, masterKey, clock, sandbox, closers }: Foundation): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(CONFIG).toConstantValue(config)
    bind(DATA_DIR).toConstantValue(files)
    bind(MASTER_KEY).toConstantValue(masterKey)
    bind(CLOCK).toConstantValue(clock)
    bind(SANDBOX_NODE).toConstantValue(sandbox)
    bind(CLOSERS).toConstantValue(closers)
    bind(OMNIBUS_ACCOUNTS).toConstantValue(config.omnibusAccounts)
    const address = publicAddress(config.publicUrl, `http://${config.host}:${config.port}`)
    bind(PUBLIC_ADDRESS).toConstantValue(address)
    bind(PUBLIC_URL).toConstantValue(address.url)
  })

/** Log, read models and claims in one file of the data directory. */
const embeddedLogModule = new ContainerModule(({ bind, onActivation }) => {
  bind(SQLITE_EVENT_STORE_OPTIONS).toResolvedValue(
    ({ events }, clock) => ({ path: events, clock: clock.now, projections: inlineProjections }),
    [DATA_DIR, CLOCK],
  )
  onActivation(SQLITE_EVENT_STORE, ({ get }, store) => {
    get(CLOSERS).push(store.close)
    return store
  })
  bind(READ_PROGRESS).toResolvedValue(embeddedProgress, [SQLITE_EVENT_STORE])
})

const remoteLogModule = ({ log, projector, rows, claims }: RemoteLog): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(EVENT_LOG).toConstantValue(log)
    bind(PROJECTOR).toConstantValue(projector)
    bind(ROWS_DATABASE).toConstantValue(rows)
    bind(CLAIMS_DATABASE).toConstantValue(claims)
    bind(READ_PROGRESS).toConstantValue(serverProgress(projector))
  })

const vaultModule = new ContainerModule(({ bind }) => {
  bind(VAULT_DATABASE).toResolvedValue(
    ({ vault }, closers) => {
      const database = openDatabase(vault, { durability: 'full', secureDelete: true })
      closers.push(database.close)
      return database
    },
    [DATA_DIR, CLOSERS],
  )
})

/** The networks of both environments, with their nodes, rates and paths. */
const networksModule = new ContainerModule(({ bind }) => {
  bind(ALARM).toResolvedValue((log) => (alarm) => logAlarm(log, alarm), [OPERATOR_LOG])
  bind(LEDGER_CONFIG).toResolvedValue(ledgerConfig, [CONFIG, SANDBOX_NODE, ALARM])
  bind(RATE_WATCH).toResolvedValue(
    (clock, log) =>
      rateWatch(clock.now, (trouble, isOver, detail) =>
        log.warn({ trouble, detail }, isOver ? 'rates: over' : 'rates: trouble'),
      ),
    [CLOCK, OPERATOR_LOG],
  )
  bind(LIVE_RATES).toResolvedValue(
    ({ rates }, clock, watch, closers) => {
      if (rates === null) return null
      const live = liveRates(rates, clock.now, watch.ofDocument)
      closers.push(live.close)
      return live
    },
    [CONFIG, CLOCK, RATE_WATCH, CLOSERS],
  )
  bind(LIVE_QUOTER).toResolvedValue(liveQuoter, [LIVE_RATES, RATE_MEMORY, RATE_WATCH])
  bind(PATHS).toResolvedValue(pathsBy, [CONFIG, SANDBOX_NODE, LIVE_RATES, CLOSERS])
  bind(NETWORKS).toResolvedValue(networks, [LEDGER_GATEWAYS, RATE_SOURCE, LIVE_QUOTER, SANDBOX_NODE, PATHS, CONFIG])
})

/** What goes on without a request, and how it fares. */
const processesModule = new ContainerModule(({ bind }) => {
  bind(WORKERS).toResolvedValue(workersOf, [SERVICES, ALARM])
  bind(DELIVERER).toResolvedValue(
    (services, { deliveryAllow }, closers) => {
      const posting = sender({ allowed: deliveryAllow })
      closers.push(posting.close)
      return createDeliverer(services, { sender: posting })
    },
    [SERVICES, CONFIG, CLOSERS],
  )
  bind(BACKGROUND_WORK).toResolvedValue(backgroundWork, [WORKERS, DELIVERER, OPERATOR_LOG])
  bind(CATCH_UP).toResolvedValue(catchUpWith, [WORKERS])
  bind(HEALTH).toResolvedValue(healthOf, [SERVICES, WORKERS, READ_PROGRESS, RATE_WATCH])
})

const platformModule = new ContainerModule(({ bind }) => {
  bind(PLATFORM).toResolvedValue(
    (billing, workers, deliverer, catchUp, { readiness }, clock, sandbox, closers) => ({
      billing,
      workers: configuredWorkers(workers),
      deliverer,
      catchUp,
      readiness,
      clock,
      sandbox,
      close: () => closeAll(closers),
    }),
    [BILLING, WORKERS, DELIVERER, CATCH_UP, HEALTH, CLOCK, SANDBOX_NODE, CLOSERS],
  )
})

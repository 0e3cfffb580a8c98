import { randomUUID } from 'node:crypto'
import * as billing from '@quittance/billing'
import {
  openDatabase,
  SQLITE_EVENT_STORE,
  SQLITE_EVENT_STORE_OPTIONS,
  sqliteEventStoreModule,
} from '@quittance/event-store/sqlite'
import * as ledger from '@quittance/ledger'
import { inlineProjections } from '@quittance/projections'
import { ContainerModule } from 'inversify'
import { raiseAlarms } from '../alarm-webhook.ts'
import { openArrivals } from '../arrivals.ts'
import { backgroundWork } from '../background-work.ts'
import { closeAll, closedLater } from '../closers.ts'
import { DataDirInUse } from '../data-dir.ts'
import { watchFreezes } from '../freeze-watch.ts'
import { healthOf } from '../health.ts'
import { embeddedProgress, serverProgress } from '../log-progress.ts'
import { runMailing } from '../mail/run-mailing.ts'
import { sandboxInbox } from '../mail/sandbox-inbox.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { ledgerConfig, liveQuoter, networks, pathsBy } from '../networks.ts'
import { publicAddress } from '../public-address.ts'
import { wakeOnWrites } from '../wake-on-writes.ts'
import { catchUpWith, configuredWorkers, workersOf } from '../workers.ts'
import type { OpenedDatabase } from './database.ts'
import type { Foundation } from './foundation.ts'
import * as host from './tokens.ts'

/** What every app stands on. The modules need `host.OPERATOR_LOG`, which each app binds. */
export const hostModules = (foundation: Foundation): ReadonlyArray<ContainerModule> => [
  foundationModule(foundation),
  ...storeModules(foundation),
  ledger.ledgerModule,
  ledger.sandboxRatesModule,
  networksModule,
  processesModule,
  platformModule,
]

const storeModules = ({ remoteLog, database }: Foundation): ReadonlyArray<ContainerModule> => {
  if (database !== null) return [databaseModule(database), databaseCore(database)]
  if (remoteLog !== null) return [billing.remoteLogBillingModule, remoteLogModule(remoteLog), vaultModule]
  return [sqliteEventStoreModule, billing.embeddedBillingModule, embeddedLogModule, vaultModule]
}

/** Log, read models, vault and all else in a PostgreSQL, whose tables `/ready` finds writable by what it reads there. */
const databaseModule = ({ store, vault, readProgress, untilWritten }: OpenedDatabase): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { sql } = store._tag === 'whole' ? store.shared : store.beside
    if (store._tag === 'whole') bind(billing.SHARED_DATABASE).toConstantValue(store.shared)
    else bind(billing.LOG_BESIDE_DATABASE).toConstantValue(store.beside)
    bind(billing.VAULT).toConstantValue(vault)
    bind(host.READ_PROGRESS).toConstantValue(readProgress)
    bind(host.UNTIL_WRITTEN).toConstantValue(untilWritten)
    bind(host.ROLES).toConstantValue(billing.roles(sql, randomUUID()))
    bind(host.STORE_FILES).toConstantValue({})
  })

const databaseCore = ({ store }: OpenedDatabase): ContainerModule =>
  store._tag === 'whole' ? billing.databaseBillingModule : billing.logBesideDatabaseBillingModule

const foundationModule = ({ config, files, masterKey, clock, sandbox, closers }: Foundation): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(host.CONFIG).toConstantValue(config)
    bind(host.DATA_DIR).toConstantValue(files)
    bind(billing.MASTER_KEY).toConstantValue(masterKey)
    bind(billing.CLOCK).toConstantValue(clock)
    bind(billing.MARK_FILE).toConstantValue(files.logMark)
    bind(billing.ERASED_SUBJECTS).toConstantValue(billing.erasedSubjectsFile(files.erased))
    bind(host.SANDBOX_NODE).toConstantValue(sandbox)
    bind(host.CLOSERS).toConstantValue(closers)
    bind(billing.OMNIBUS_ACCOUNTS).toConstantValue(config.omnibusAccounts)
    const service = config.screening === null ? [] : [billing.screeningService(config.screening)]
    for (const each of service) closedLater(closers, each)
    const denied = config.denyList === null ? [] : [billing.denyFile(config.denyList)]
    bind(billing.SCREENING).toConstantValue(billing.screeningBy([...denied, ...service]))
    const smtp = config.smtp === null ? null : closedLater(closers, smtpMailer(config.smtp))
    const inbox = sandbox === null ? null : sandboxInbox(() => clock.now('testnet'))
    bind(billing.MAILERS).toConstantValue({ testnet: inbox ?? smtp, mainnet: smtp })
    bind(host.SANDBOX_INBOX).toConstantValue(inbox)
    const address = publicAddress(config.publicUrl, `http://${config.host}:${config.port}`)
    bind(host.PUBLIC_ADDRESS).toConstantValue(address)
    bind(billing.PUBLIC_URL).toConstantValue(address.url)
  })

/** Log, read models and claims in one file of the data directory. */
const embeddedLogModule = new ContainerModule(({ bind, onActivation }) => {
  bind(SQLITE_EVENT_STORE_OPTIONS).toResolvedValue(
    ({ events }, clock) => ({
      path: events,
      clock: () => billing.deploymentTime(clock),
      projections: inlineProjections,
    }),
    [host.DATA_DIR, billing.CLOCK],
  )
  onActivation(SQLITE_EVENT_STORE, ({ get }, store) => closedLater(get(host.CLOSERS), store))
  bind(host.READ_PROGRESS).toResolvedValue(embeddedProgress, [SQLITE_EVENT_STORE])
  bind(host.LOG_FILE).toResolvedValue(({ writer }) => ({ 'quittance.db': writer }), [SQLITE_EVENT_STORE])
})

const remoteLogModule = (remote: billing.RemoteLog): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(billing.REMOTE_LOG).toConstantValue(remote)
    bind(host.READ_PROGRESS).toConstantValue(serverProgress(remote.projector))
    bind(host.LOG_FILE).toConstantValue({ 'read-models.db': remote.claims })
  })

/** Every process that works with the data directory has the vault open. */
const vaultModule = new ContainerModule(({ bind }) => {
  bind(billing.VAULT_DATABASE).toResolvedValue(
    ({ vault }, closers, { isAlone }) => {
      const database = closedLater(closers, openDatabase(vault, { durability: 'full', secureDelete: true }))
      if (isAlone === true && !billing.isOwnAlone(database)) throw new DataDirInUse()
      return database
    },
    [host.DATA_DIR, host.CLOSERS, host.CONFIG],
  )
  bind(host.UNTIL_WRITTEN).toConstantValue(null)
  bind(host.ROLES).toConstantValue(null)
  bind(host.STORE_FILES).toResolvedValue(
    (log, vault) => ({ ...log, 'vault.db': vault }),
    [host.LOG_FILE, billing.VAULT_DATABASE],
  )
})

/** The networks of both environments, with their nodes, rates and paths. */
const networksModule = new ContainerModule(({ bind }) => {
  bind(host.ALARM).toResolvedValue(raiseAlarms, [host.CONFIG, host.PUBLIC_ADDRESS, host.OPERATOR_LOG, host.CLOSERS])
  bind(ledger.LEDGER_CONFIG).toResolvedValue(
    (config, node, raise) => ledgerConfig(config, node, (alarm) => raise(alarm, null)),
    [host.CONFIG, host.SANDBOX_NODE, host.ALARM],
  )
  bind(host.RATE_WATCH).toResolvedValue(
    (clock, log) =>
      ledger.rateWatch(
        () => billing.deploymentTime(clock),
        (trouble, isOver, detail) => log.warn({ trouble, detail }, isOver ? 'rates: over' : 'rates: trouble'),
      ),
    [billing.CLOCK, host.OPERATOR_LOG],
  )
  bind(host.LIVE_RATES).toResolvedValue(
    ({ rates }, clock, watch, closers) =>
      rates === null
        ? null
        : closedLater(
            closers,
            ledger.liveRates(rates, () => billing.deploymentTime(clock), watch.ofDocument),
          ),
    [host.CONFIG, billing.CLOCK, host.RATE_WATCH, host.CLOSERS],
  )
  bind(host.LIVE_QUOTER).toResolvedValue(liveQuoter, [host.LIVE_RATES, billing.RATE_MEMORY, host.RATE_WATCH])
  bind(host.PATHS).toResolvedValue(pathsBy, [host.CONFIG, host.SANDBOX_NODE, host.LIVE_RATES, host.CLOSERS])
  bind(billing.NETWORKS).toResolvedValue(networks, [
    ledger.LEDGER_GATEWAYS,
    ledger.RATE_SOURCE,
    host.LIVE_QUOTER,
    host.SANDBOX_NODE,
    host.PATHS,
    host.CONFIG,
  ])
})

/** What goes on without a request, and how it fares. */
const processesModule = new ContainerModule(({ bind }) => {
  bind(host.WORKERS).toResolvedValue(workersOf, [billing.SERVICES, host.ALARM, host.ROLES])
  bind(host.ARRIVALS).toResolvedValue(openArrivals)
  bind(host.DELIVERER).toResolvedValue(
    (services, { deliveryAllow }, closers, { tell }) =>
      billing.createDeliverer(services, {
        sender: closedLater(closers, billing.sender({ allowed: deliveryAllow })),
        onArrival: tell,
      }),
    [billing.SERVICES, host.CONFIG, host.CLOSERS, host.ARRIVALS],
  )
  bind(host.BACKGROUND_WORK).toResolvedValue(
    (workers, deliverer, log, services, raise, untilWritten) =>
      backgroundWork(workers, deliverer, log, (signal) =>
        Promise.all([
          watchFreezes(services.freezing, raise, signal),
          untilWritten === null ? undefined : wakeOnWrites(services, untilWritten, signal),
        ]),
      ),
    [host.WORKERS, host.DELIVERER, host.OPERATOR_LOG, billing.SERVICES, host.ALARM, host.UNTIL_WRITTEN],
  )
  bind(host.RUN_MAILING).toResolvedValue(runMailing, [billing.SERVICES, host.OPERATOR_LOG])
  bind(host.CATCH_UP).toResolvedValue(catchUpWith, [host.WORKERS])
  bind(host.WRITTEN_FILES).toResolvedValue(
    (store, sandbox) => ({ ...store, ...(sandbox === null ? {} : { 'sandbox.db': sandbox.database }) }),
    [host.STORE_FILES, host.SANDBOX_NODE],
  )
  bind(host.HEALTH).toResolvedValue(healthOf, [
    billing.SERVICES,
    host.WORKERS,
    host.READ_PROGRESS,
    host.RATE_WATCH,
    host.WRITTEN_FILES,
    host.ARRIVALS,
  ])
})

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
    [
      billing.BILLING,
      host.WORKERS,
      host.DELIVERER,
      host.CATCH_UP,
      host.HEALTH,
      billing.CLOCK,
      host.SANDBOX_NODE,
      host.CLOSERS,
    ],
  )
})

import { randomUUID } from 'node:crypto'
import * as billing from '@quittance/billing'
import {
  openDatabase,
  SQLITE_EVENT_STORE,
  SQLITE_EVENT_STORE_OPTIONS,
  sqliteEventStoreModule,
} from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { ContainerModule } from 'inversify'
import { closedLater } from '../closers.ts'
import { DataDirInUse } from '../data-dir.ts'
import { embeddedProgress, serverProgress } from '../log-progress.ts'
import { fileProbe } from '../writes-readiness.ts'
import type { OpenedDatabase } from './database.ts'
import type { Foundation } from './foundation.ts'
import * as host from './tokens.ts'

/** The billing core over the store of the deployment. */
export const storeModules = ({ remoteLog, database }: Foundation): ReadonlyArray<ContainerModule> => {
  if (database !== null) return [databaseModule(database), databaseCore(database)]
  if (remoteLog !== null) return [billing.remoteLogBillingModule, remoteLogModule(remoteLog), vaultModule]
  return [sqliteEventStoreModule, billing.embeddedBillingModule, embeddedLogModule, vaultModule]
}

/** Log, read models, vault and all else in a PostgreSQL. */
const databaseModule = ({
  store,
  vault,
  readProgress,
  untilWritten,
  writes,
  release,
}: OpenedDatabase): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { sql } = store._tag === 'whole' ? store.shared : store.beside
    if (store._tag === 'whole') bind(billing.DATABASE_WITH_LOG).toConstantValue(store.shared)
    else bind(billing.REMOTE_LOG_AND_DATABASE).toConstantValue(store.beside)
    bind(billing.VAULT).toConstantValue(vault)
    bind(host.READ_PROGRESS).toConstantValue(readProgress)
    bind(host.UNTIL_WRITTEN).toConstantValue(untilWritten)
    bind(host.RELEASE).toConstantValue(release)
    bind(host.ROLES).toConstantValue(billing.roles(sql, randomUUID()))
    bind(host.STORE_WRITES).toConstantValue(writes)
  })

const databaseCore = ({ store }: OpenedDatabase): ContainerModule =>
  store._tag === 'whole' ? billing.databaseBillingModule : billing.remoteLogAndDatabaseBillingModule

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
  bind(host.LOG_WRITES).toResolvedValue(({ writer }) => ({ 'quittance.db': fileProbe(writer) }), [SQLITE_EVENT_STORE])
})

const remoteLogModule = (remote: billing.RemoteLog): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(billing.REMOTE_LOG).toConstantValue(remote)
    bind(host.READ_PROGRESS).toConstantValue(serverProgress(remote.projector))
    bind(host.LOG_WRITES).toConstantValue({ 'read-models.db': fileProbe(remote.claims) })
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
  bind(host.RELEASE).toConstantValue(null)
  bind(host.ROLES).toConstantValue(null)
  bind(host.STORE_WRITES).toResolvedValue(
    (log, vault) => ({ ...log, 'vault.db': fileProbe(vault) }),
    [host.LOG_WRITES, billing.VAULT_DATABASE],
  )
})

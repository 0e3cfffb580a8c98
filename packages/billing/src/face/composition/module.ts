import { SQLITE_EVENT_STORE } from '@quittance/event-store/sqlite'
import { ContainerModule, type ContainerModuleLoadOptions, type ServiceIdentifier } from 'inversify'
import type { Services } from '../../services/services.ts'
import { rateMemory } from '../../stores/quotes/rate-memory.ts'
import { sqliteVault } from '../../stores/vault/sqlite-vault.ts'
import { createBilling } from '../billing.ts'
import type { Deployment } from './deployment.ts'
import { embedded } from './embedded.ts'
import { inDatabase } from './in-database.ts'
import { openedTables } from './opened-tables.ts'
import { remoteLog } from './remote-log.ts'
import { remoteLogAndDatabase } from './remote-log-and-database.ts'
import {
  BILLING,
  DATABASE_WITH_LOG,
  DEPLOYMENT,
  ERASED_SUBJECTS,
  MASTER_KEY,
  RATE_MEMORY,
  REMOTE_LOG,
  REMOTE_LOG_AND_DATABASE,
  SERVICES,
  VAULT,
  VAULT_DATABASE,
} from './tokens.ts'

type Bind = ContainerModuleLoadOptions['bind']

/** What every composition binds; `store` is where its log is. Whoever opens the deployment binds `DEPLOYMENT`. */
const bindCore = <Store>(
  bind: Bind,
  store: ServiceIdentifier<Store>,
  compose: (store: Store, deployment: Deployment) => Services,
): void => {
  bind(SERVICES).toResolvedValue(compose, [store, DEPLOYMENT])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
}

/** The vault in a file. A new one may begin only beside a log without events. */
const bindVaultFile = <Store>(
  bind: Bind,
  store: ServiceIdentifier<Store>,
  isEmpty: (store: Store) => boolean,
): void => {
  bind(VAULT).toResolvedValue(
    (sql, masterKey, erased, opened) => sqliteVault(sql, masterKey, isEmpty(opened), erased),
    [VAULT_DATABASE, MASTER_KEY, ERASED_SUBJECTS, store],
  )
}

/** The billing core over the embedded store. */
export const embeddedBillingModule = new ContainerModule(({ bind }) => {
  bindCore(bind, SQLITE_EVENT_STORE, embedded)
  bindVaultFile(bind, SQLITE_EVENT_STORE, (log) => log.logHead().position === 0)
  bind(RATE_MEMORY).toResolvedValue(({ beside }) => rateMemory(openedTables(beside)), [SQLITE_EVENT_STORE])
})

/** The billing core over a remote log; a projector keeps the read models, and has started. */
export const remoteLogBillingModule = new ContainerModule(({ bind }) => {
  bindCore(bind, REMOTE_LOG, remoteLog)
  bindVaultFile(bind, REMOTE_LOG, ({ projector }) => projector.applied() === 0)
  bind(RATE_MEMORY).toResolvedValue(({ claims }) => rateMemory(openedTables(claims)), [REMOTE_LOG])
})

/** The billing core in a database that many processes share. Whoever opens it binds `VAULT`, since that has to be awaited. */
export const databaseBillingModule = new ContainerModule(({ bind }) => {
  bindCore(bind, DATABASE_WITH_LOG, inDatabase)
  bind(RATE_MEMORY).toResolvedValue(({ sql }) => rateMemory(sql), [DATABASE_WITH_LOG])
})

/** The billing core over a remote log, beside a database that many processes share. Whoever opens it binds `VAULT`. */
export const remoteLogAndDatabaseBillingModule = new ContainerModule(({ bind }) => {
  bindCore(bind, REMOTE_LOG_AND_DATABASE, remoteLogAndDatabase)
  bind(RATE_MEMORY).toResolvedValue(({ sql }) => rateMemory(sql), [REMOTE_LOG_AND_DATABASE])
})

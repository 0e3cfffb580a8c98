import { SQLITE_EVENT_STORE } from '@quittance/event-store/sqlite'
import { ContainerModule } from 'inversify'
import { rateMemory } from '../../stores/quotes/rate-memory.ts'
import { sqliteVault } from '../../stores/vault/sqlite-vault.ts'
import { createBilling } from '../billing.ts'
import { embedded } from './embedded.ts'
import { inDatabase } from './in-database.ts'
import { openedTables } from './opened-tables.ts'
import { logBesideDatabase, remoteLog } from './remote-log.ts'
import {
  BILLING,
  CLOCK,
  ERASED_SUBJECTS,
  LOG_BESIDE_DATABASE,
  MAILERS,
  MARK_FILE,
  MASTER_KEY,
  NETWORKS,
  OMNIBUS_ACCOUNTS,
  PUBLIC_URL,
  RATE_MEMORY,
  REMOTE_LOG,
  SCREENING,
  SERVICES,
  SHARED_DATABASE,
  VAULT,
  VAULT_DATABASE,
} from './tokens.ts'

/** The billing core over the embedded store. */
export const embeddedBillingModule = new ContainerModule(({ bind }) => {
  bind(VAULT).toResolvedValue(
    (sql, masterKey, erased, log) => sqliteVault(sql, masterKey, log.logHead().position === 0, erased),
    [VAULT_DATABASE, MASTER_KEY, ERASED_SUBJECTS, SQLITE_EVENT_STORE],
  )
  bind(RATE_MEMORY).toResolvedValue(({ writer }) => rateMemory(openedTables(writer)), [SQLITE_EVENT_STORE])
  bind(SERVICES).toResolvedValue(embedded, [
    SQLITE_EVENT_STORE,
    VAULT,
    CLOCK,
    NETWORKS,
    PUBLIC_URL,
    OMNIBUS_ACCOUNTS,
    MARK_FILE,
    SCREENING,
    MAILERS,
  ])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

/** The billing core over a remote log; a projector keeps the read models. */
export const remoteLogBillingModule = new ContainerModule(({ bind }) => {
  // The projector has started, so it knows whether the remote log has events.
  bind(VAULT).toResolvedValue(
    (sql, masterKey, erased, { projector }) => sqliteVault(sql, masterKey, projector.applied() === 0, erased),
    [VAULT_DATABASE, MASTER_KEY, ERASED_SUBJECTS, REMOTE_LOG],
  )
  bind(RATE_MEMORY).toResolvedValue(({ claims }) => rateMemory(openedTables(claims)), [REMOTE_LOG])
  bind(SERVICES).toResolvedValue(remoteLog, [
    REMOTE_LOG,
    VAULT,
    CLOCK,
    NETWORKS,
    PUBLIC_URL,
    OMNIBUS_ACCOUNTS,
    MARK_FILE,
    SCREENING,
    MAILERS,
  ])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

/** The billing core in a database that many processes share. Whoever opens it binds `VAULT`, since that has to be awaited. */
export const databaseBillingModule = new ContainerModule(({ bind }) => {
  bind(RATE_MEMORY).toResolvedValue(({ sql }) => rateMemory(sql), [SHARED_DATABASE])
  bind(SERVICES).toResolvedValue(inDatabase, [
    SHARED_DATABASE,
    VAULT,
    CLOCK,
    NETWORKS,
    PUBLIC_URL,
    OMNIBUS_ACCOUNTS,
    MARK_FILE,
    SCREENING,
    MAILERS,
  ])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

/** The billing core over a log on a server, beside a database that many processes share. Whoever opens it binds `VAULT`. */
export const logBesideDatabaseBillingModule = new ContainerModule(({ bind }) => {
  bind(RATE_MEMORY).toResolvedValue(({ sql }) => rateMemory(sql), [LOG_BESIDE_DATABASE])
  bind(SERVICES).toResolvedValue(logBesideDatabase, [
    LOG_BESIDE_DATABASE,
    VAULT,
    CLOCK,
    NETWORKS,
    PUBLIC_URL,
    OMNIBUS_ACCOUNTS,
    MARK_FILE,
    SCREENING,
    MAILERS,
  ])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

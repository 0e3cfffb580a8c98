import { randomUUID } from 'node:crypto'
import { SQLITE_EVENT_STORE, type SqliteEventStore } from '@quittance/event-store/sqlite'
import { readModels } from '@quittance/projections'
import { ContainerModule } from 'inversify'
import { settlements } from '../assets.ts'
import { createBilling } from '../billing.ts'
import { sqliteClaims } from '../claims/sqlite-claims.ts'
import type { Clock } from '../ports.ts'
import { sqliteCursors } from '../processes/cursor.ts'
import type { Services } from '../services.ts'
import type { Vault } from '../vault/port.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { BILLING, CLOCK, MASTER_KEY, NETWORKS, PUBLIC_URL, SERVICES, VAULT, VAULT_DATABASE } from './tokens.ts'

/** Log, read models, claims and cursors share one file: what belongs together is committed together. */
const embedded = (
  store: SqliteEventStore,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
): Services => ({
  store,
  settlementOf: settlements(store),
  readModels: readModels(store.reader),
  claims: sqliteClaims(store.writer, clock),
  cursors: sqliteCursors(store.writer),
  vault,
  clock,
  freshId: randomUUID,
  networks,
  publicUrl,
})

/** The billing core over the embedded store. */
export const embeddedBillingModule = new ContainerModule(({ bind }) => {
  bind(VAULT).toResolvedValue(sqliteVault, [VAULT_DATABASE, MASTER_KEY])
  bind(SERVICES).toResolvedValue(embedded, [SQLITE_EVENT_STORE, VAULT, CLOCK, NETWORKS, PUBLIC_URL])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

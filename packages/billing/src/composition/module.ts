import { SQLITE_EVENT_STORE } from '@quittance/event-store/sqlite'
import { ContainerModule } from 'inversify'
import { createBilling } from '../billing.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { embedded } from './embedded.ts'
import { BILLING, CLOCK, MASTER_KEY, NETWORKS, PUBLIC_URL, SERVICES, VAULT, VAULT_DATABASE } from './tokens.ts'

/** The billing core over the embedded store. */
export const embeddedBillingModule = new ContainerModule(({ bind }) => {
  bind(VAULT).toResolvedValue(sqliteVault, [VAULT_DATABASE, MASTER_KEY])
  bind(SERVICES).toResolvedValue(embedded, [SQLITE_EVENT_STORE, VAULT, CLOCK, NETWORKS, PUBLIC_URL])
  bind(BILLING).toResolvedValue(createBilling, [SERVICES])
})

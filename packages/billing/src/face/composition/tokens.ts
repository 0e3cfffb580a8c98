import type { EventStore, SqlDatabase } from '@quittance/event-store'
import type { Projector } from '@quittance/projections'
import type { ServiceIdentifier } from 'inversify'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import type { RateMemories } from '../../stores/quotes/rate-memory.ts'
import type { Vault } from '../../stores/vault/port.ts'
import type { Billing } from '../billing.ts'

export const CLOCK: ServiceIdentifier<Clock> = Symbol.for('billing/Clock')
export const PUBLIC_URL: ServiceIdentifier<Services['publicUrl']> = Symbol.for('billing/PublicUrl')
export const OMNIBUS_ACCOUNTS: ServiceIdentifier<Services['omnibusAccounts']> = Symbol.for('billing/OmnibusAccounts')
/** What quotes by live rates remember. */
export const RATE_MEMORY: ServiceIdentifier<RateMemories> = Symbol.for('billing/RateMemory')
export const NETWORKS: ServiceIdentifier<Services['networks']> = Symbol.for('billing/Networks')
/** A log that is elsewhere; the embedded one has a token of its own. */
export const EVENT_LOG: ServiceIdentifier<EventStore> = Symbol.for('billing/EventLog')
/** Of read models beside such a log: may lose its last commits with the power. */
export const ROWS_DATABASE: ServiceIdentifier<SqlDatabase> = Symbol.for('billing/RowsDatabase')
/** To the same file, and durable. */
export const CLAIMS_DATABASE: ServiceIdentifier<SqlDatabase> = Symbol.for('billing/ClaimsDatabase')
export const PROJECTOR: ServiceIdentifier<Projector> = Symbol.for('billing/Projector')
export const VAULT_DATABASE: ServiceIdentifier<SqlDatabase> = Symbol.for('billing/VaultDatabase')
export const MASTER_KEY: ServiceIdentifier<Uint8Array> = Symbol.for('billing/MasterKey')
export const VAULT: ServiceIdentifier<Vault> = Symbol.for('billing/Vault')
export const SERVICES: ServiceIdentifier<Services> = Symbol.for('billing/Services')
export const BILLING: ServiceIdentifier<Billing> = Symbol.for('billing/Billing')

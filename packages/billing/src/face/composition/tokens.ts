import type { SqlDatabase } from '@quittance/event-store'
import type { ServiceIdentifier } from 'inversify'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import type { RateMemories } from '../../stores/quotes/rate-memory.ts'
import type { ErasedSubjects } from '../../stores/vault/erased-subjects.ts'
import type { Vault } from '../../stores/vault/port.ts'
import type { Billing } from '../billing.ts'
import type { Deployment } from './deployment.ts'
import type { DatabaseWithLog } from './in-database.ts'
import type { RemoteLog } from './open-remote-log.ts'
import type { ProjectedLog } from './over-remote-log.ts'

/** The clock of each environment. */
export const CLOCK: ServiceIdentifier<Clock> = Symbol.for('billing/Clock')
/** What every composition needs beside its log and its tables. */
export const DEPLOYMENT: ServiceIdentifier<Deployment> = Symbol.for('billing/Deployment')
/** The memory of quotes by live rates. */
export const RATE_MEMORY: ServiceIdentifier<RateMemories> = Symbol.for('billing/RateMemory')
/** The remote log with its read models; the embedded log has its own token. */
export const REMOTE_LOG: ServiceIdentifier<RemoteLog> = Symbol.for('billing/RemoteLog')
/** The database that many processes share, with the log in it. */
export const DATABASE_WITH_LOG: ServiceIdentifier<DatabaseWithLog> = Symbol.for('billing/DatabaseWithLog')
/** A log on a server, with a database beside it that many processes share. */
export const REMOTE_LOG_AND_DATABASE: ServiceIdentifier<ProjectedLog> = Symbol.for('billing/RemoteLogAndDatabase')
/** The file of the vault. */
export const VAULT_DATABASE: ServiceIdentifier<SqlDatabase> = Symbol.for('billing/VaultDatabase')
/** The key that opens the vault: 32 bytes. */
export const MASTER_KEY: ServiceIdentifier<Uint8Array> = Symbol.for('billing/MasterKey')
/** Lists the subjects whose keys were destroyed, apart from the vault. */
export const ERASED_SUBJECTS: ServiceIdentifier<ErasedSubjects> = Symbol.for('billing/ErasedSubjects')
/** Keeps secrets and the keys of personal data. */
export const VAULT: ServiceIdentifier<Vault> = Symbol.for('billing/Vault')
/** Everything that the application uses. */
export const SERVICES: ServiceIdentifier<Services> = Symbol.for('billing/Services')
/** The billing core. */
export const BILLING: ServiceIdentifier<Billing> = Symbol.for('billing/Billing')

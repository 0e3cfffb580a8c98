import type { SqlDatabase } from '@quittance/event-store'
import type { ServiceIdentifier } from 'inversify'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import type { Mailers } from '../../stores/mail/mailer.ts'
import type { RateMemories } from '../../stores/quotes/rate-memory.ts'
import type { Screening } from '../../stores/screening/port.ts'
import type { ErasedSubjects } from '../../stores/vault/erased-subjects.ts'
import type { Vault } from '../../stores/vault/port.ts'
import type { Billing } from '../billing.ts'
import type { SharedDatabase } from './in-database.ts'
import type { RemoteLog } from './open-remote-log.ts'
import type { LogBesideDatabase } from './remote-log.ts'

/** The clock of each environment. */
export const CLOCK: ServiceIdentifier<Clock> = Symbol.for('billing/Clock')
/** The address of the service for payers, without a trailing slash. */
export const PUBLIC_URL: ServiceIdentifier<Services['publicUrl']> = Symbol.for('billing/PublicUrl')
/** Accounts that many owners share by memos: nothing is paid out to them. */
export const OMNIBUS_ACCOUNTS: ServiceIdentifier<Services['omnibusAccounts']> = Symbol.for('billing/OmnibusAccounts')
/** Tells with whom the service must not deal. */
export const SCREENING: ServiceIdentifier<Screening> = Symbol.for('billing/Screening')
/** What sends mails, by environment. */
export const MAILERS: ServiceIdentifier<Mailers> = Symbol.for('billing/Mailers')
/** The memory of quotes by live rates. */
export const RATE_MEMORY: ServiceIdentifier<RateMemories> = Symbol.for('billing/RateMemory')
/** Where a mark of the log is kept beside it. */
export const MARK_FILE: ServiceIdentifier<string | null> = Symbol.for('billing/MarkFile')
/** The Stellar network of each environment; null where it is not configured. */
export const NETWORKS: ServiceIdentifier<Services['networks']> = Symbol.for('billing/Networks')
/** The remote log with its read models; the embedded log has its own token. */
export const REMOTE_LOG: ServiceIdentifier<RemoteLog> = Symbol.for('billing/RemoteLog')
/** The database that many processes share. */
export const SHARED_DATABASE: ServiceIdentifier<SharedDatabase> = Symbol.for('billing/SharedDatabase')
/** A log on a server, with a database that many processes share. */
export const LOG_BESIDE_DATABASE: ServiceIdentifier<LogBesideDatabase> = Symbol.for('billing/LogBesideDatabase')
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

import type { Deliverer, LogKeeper, Pricer, Roles, Services } from '@quittance/billing'
import type { ReleaseWatch } from '@quittance/event-store/postgres'
import type { LiveRates, RateWatch } from '@quittance/ledger'
import type { ServiceIdentifier } from 'inversify'
import type { RaiseAlarm } from '../alarm.ts'
import type { Arrivals } from '../arrivals.ts'
import type { BackgroundWork } from '../background-work.ts'
import type { Closers } from '../closers.ts'
import type { Config } from '../config.ts'
import type { DataDir } from '../data-dir.ts'
import type { Health } from '../health.ts'
import type { ReadProgress } from '../log-progress.ts'
import type { RunMailing } from '../mail/run-mailing.ts'
import type { SandboxInbox } from '../mail/sandbox-inbox.ts'
import type { Paths } from '../networks.ts'
import type { OperatorLog } from '../operator-log.ts'
import type { Platform } from '../platform.ts'
import type { PublicAddress } from '../public-address.ts'
import type { SandboxNode } from '../sandbox-node.ts'
import type { UntilWritten } from '../wake-on-writes.ts'
import type { CatchUp, Workers } from '../workers.ts'
import type { WriteProbes } from '../writes-readiness.ts'

export const CONFIG: ServiceIdentifier<Config> = Symbol.for('host/Config')
export const DATA_DIR: ServiceIdentifier<DataDir> = Symbol.for('host/DataDir')
export const CLOSERS: ServiceIdentifier<Closers> = Symbol.for('host/Closers')
export const SANDBOX_NODE: ServiceIdentifier<SandboxNode | null> = Symbol.for('host/SandboxNode')
/** Each app binds its own. */
export const OPERATOR_LOG: ServiceIdentifier<OperatorLog> = Symbol.for('host/OperatorLog')
export const ALARM: ServiceIdentifier<RaiseAlarm> = Symbol.for('host/Alarm')
export const PUBLIC_ADDRESS: ServiceIdentifier<PublicAddress> = Symbol.for('host/PublicAddress')
export const RATE_WATCH: ServiceIdentifier<RateWatch> = Symbol.for('host/RateWatch')
export const LIVE_RATES: ServiceIdentifier<LiveRates | null> = Symbol.for('host/LiveRates')
export const LIVE_QUOTER: ServiceIdentifier<Pricer | null> = Symbol.for('host/LiveQuoter')
/** The Stellar network of each environment; null where it is not configured. */
export const NETWORKS: ServiceIdentifier<Services['networks']> = Symbol.for('host/Networks')
export const PATHS: ServiceIdentifier<Paths> = Symbol.for('host/Paths')
export const READ_PROGRESS: ServiceIdentifier<ReadProgress> = Symbol.for('host/ReadProgress')
export const LOG_WRITES: ServiceIdentifier<WriteProbes> = Symbol.for('host/LogWrites')
/** Null where files are shared, which nothing watches: listeners look from time to time. */
export const UNTIL_WRITTEN: ServiceIdentifier<UntilWritten | null> = Symbol.for('host/UntilWritten')
/** Null where no process of another release can share the store. */
export const RELEASE: ServiceIdentifier<ReleaseWatch | null> = Symbol.for('host/Release')
/** Null where processes share files. */
export const ROLES: ServiceIdentifier<Roles | null> = Symbol.for('host/Roles')
/** Those of log and vault. */
export const STORE_WRITES: ServiceIdentifier<WriteProbes> = Symbol.for('host/StoreWrites')
export const WRITES: ServiceIdentifier<WriteProbes> = Symbol.for('host/Writes')
export const WORKERS: ServiceIdentifier<Workers> = Symbol.for('host/Workers')
export const ARRIVALS: ServiceIdentifier<Arrivals> = Symbol.for('host/Arrivals')
export const DELIVERER: ServiceIdentifier<Deliverer> = Symbol.for('host/Deliverer')
export const LOG_KEEPER: ServiceIdentifier<LogKeeper> = Symbol.for('host/LogKeeper')
export const BACKGROUND_WORK: ServiceIdentifier<BackgroundWork> = Symbol.for('host/BackgroundWork')
/** The mails of the sandbox; null when the testnet is a real network. */
export const SANDBOX_INBOX: ServiceIdentifier<SandboxInbox | null> = Symbol.for('host/SandboxInbox')
export const RUN_MAILING: ServiceIdentifier<RunMailing> = Symbol.for('host/RunMailing')
export const CATCH_UP: ServiceIdentifier<CatchUp> = Symbol.for('host/CatchUp')
export const HEALTH: ServiceIdentifier<Health> = Symbol.for('host/Health')
export const PLATFORM: ServiceIdentifier<Platform> = Symbol.for('host/Platform')

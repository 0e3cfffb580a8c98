import type { ServiceIdentifier } from 'inversify'
import type { SqliteEventStore, SqliteEventStoreOptions } from './store.ts'

/** How the store of SQLite is opened. */
export const SQLITE_EVENT_STORE_OPTIONS: ServiceIdentifier<SqliteEventStoreOptions> = Symbol.for(
  'event-store/SqliteEventStoreOptions',
)
/** The store of SQLite. */
export const SQLITE_EVENT_STORE: ServiceIdentifier<SqliteEventStore> = Symbol.for('event-store/SqliteEventStore')

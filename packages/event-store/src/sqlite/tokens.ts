import type { ServiceIdentifier } from 'inversify'
import type { SqliteEventStore, SqliteEventStoreOptions } from './store.ts'

export const SQLITE_EVENT_STORE_OPTIONS: ServiceIdentifier<SqliteEventStoreOptions> = Symbol.for(
  'event-store/SqliteEventStoreOptions',
)
export const SQLITE_EVENT_STORE: ServiceIdentifier<SqliteEventStore> = Symbol.for('event-store/SqliteEventStore')

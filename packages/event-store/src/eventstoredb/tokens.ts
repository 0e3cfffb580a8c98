import type { ServiceIdentifier } from 'inversify'
import type { EventStoreDb, EventStoreDbOptions } from './store.ts'

export const EVENT_STORE_DB_OPTIONS: ServiceIdentifier<EventStoreDbOptions> = Symbol.for(
  'event-store/EventStoreDbOptions',
)
export const EVENT_STORE_DB: ServiceIdentifier<EventStoreDb> = Symbol.for('event-store/EventStoreDb')

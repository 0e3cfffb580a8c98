import { ContainerModule } from 'inversify'
import { eventStoreDb } from './store.ts'
import { EVENT_STORE_DB, EVENT_STORE_DB_OPTIONS } from './tokens.ts'

/** The event log on EventStoreDB or KurrentDB. */
export const eventStoreDbModule = new ContainerModule(({ bind }) => {
  bind(EVENT_STORE_DB).toResolvedValue(eventStoreDb, [EVENT_STORE_DB_OPTIONS])
})

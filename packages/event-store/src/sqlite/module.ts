import { ContainerModule } from 'inversify'
import { sqliteEventStore } from './store.ts'
import { SQLITE_EVENT_STORE, SQLITE_EVENT_STORE_OPTIONS } from './tokens.ts'

/** The event log in a SQLite file. */
export const sqliteEventStoreModule = new ContainerModule(({ bind }) => {
  bind(SQLITE_EVENT_STORE).toResolvedValue(sqliteEventStore, [SQLITE_EVENT_STORE_OPTIONS])
})

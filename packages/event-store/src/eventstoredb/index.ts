/**
 * The log on EventStoreDB or KurrentDB.
 *
 * @module @quittance/event-store/eventstoredb
 */

export { type EventStoreDb, eventStoreDb } from './store.ts'
export type { RecordedHead } from './verification.ts'

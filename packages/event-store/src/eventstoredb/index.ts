export { type EventStoreDb, eventStoreDb } from './store.ts'
export type { RecordedHead } from './verification.ts'

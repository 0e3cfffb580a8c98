export type { ConnectionOptions, Credentials } from './connection.ts'
export { type EventStoreDbMetrics, newMetrics } from './metrics.ts'
export { type EventStoreDb, type EventStoreDbOptions, eventStoreDb } from './store.ts'

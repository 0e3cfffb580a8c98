export type { ConnectionOptions, Credentials } from './connection-string.ts'
export { type EventStoreDbMetrics, newMetrics, type SubscriptionFigures } from './metrics.ts'
export { type EventStoreDb, type EventStoreDbOptions, eventStoreDb } from './store.ts'
export type { RecordedHead, Verification } from './verify.ts'

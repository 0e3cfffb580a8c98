export { CorruptStream, type Decider } from './shared/decider.ts'
export type { Json, JsonObject } from './shared/json.ts'
export type { Environment, EventContext, EventMetadata, NewEvent, RecordedEvent } from './shared/recorded.ts'

import type { Environment } from './environment.ts'
import type { JsonObject } from './json.ts'

/** What every event says about the command that caused it. Times are Unix milliseconds. */
export type EventContext = {
  readonly merchantId: string
  readonly environment: Environment
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string | null
  readonly actor: string
  readonly occurredAt: number
}

/** The context, with the event's place in its stream's hash chain: SHA-256 as 64 lower-case hex digits. */
export type EventMetadata = EventContext & {
  readonly previousHash: string
  readonly hash: string
}

/** An event that is ready to be appended: encoded, named, not yet placed. */
export type NewEvent = {
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: JsonObject
  readonly context: EventContext
}

/**
 * An event as a store returns it. `position` is its place in the whole log; `recordedAt` (Unix milliseconds) is the
 * store's clock. Both are the store's own and stay outside the hash.
 */
export type RecordedEvent = {
  readonly id: string
  readonly stream: string
  readonly revision: bigint
  readonly position: bigint
  readonly type: string
  readonly schemaVersion: number
  readonly data: JsonObject
  readonly metadata: EventMetadata
  readonly recordedAt: number
}

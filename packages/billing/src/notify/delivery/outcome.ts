import type { UnixMs } from '@quittance/domain'
import type { Endpoint } from './endpoint.ts'
import type { PostResult } from './sending/sender.ts'

export type Attempted = {
  readonly _tag: 'Attempted'
  readonly endpoint: Endpoint
  readonly startedAt: UnixMs
  readonly durationMs: number
  /** From the recording of the event to the end of the attempt; null for what was asked for again, and for tests. */
  readonly delayMs: number | null
  readonly result: PostResult
}

export type Outcome =
  | Attempted
  /** The endpoint was deleted or disabled since. */
  | { readonly _tag: 'Suspended' }
  /** Those who chose its address may not read the event. */
  | { readonly _tag: 'Withheld' }
  /** Nothing was sent, because the body could not be made. `cause` is a failure of the store, or a defect. */
  | { readonly _tag: 'NotMade'; readonly cause: unknown }

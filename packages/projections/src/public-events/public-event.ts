import type { EventId, EventType, UnixMs } from '@quittance/domain'
import type { Scope } from '../read-model.ts'

/**
 * What merchants' systems hear of a business fact, and where that is recorded: in the event at `revision` of `stream`,
 * at `position` of the log. `sequence` counts a resource's public events from 1 without gaps. `place` is its place
 * in the feed: a text that sorts as the feed does, and holds for this log alone; the id holds for every copy of the log.
 */
export type PublicEvent = Scope & {
  readonly id: EventId
  readonly type: EventType
  readonly resourceId: string
  readonly sequence: number
  readonly place: string
  readonly position: bigint
  readonly stream: string
  readonly revision: bigint
  readonly occurredAt: UnixMs
}

/** Of one merchant and environment, after a place (exclusive; null: from the first on). */
export type FeedRequest = Scope & {
  readonly after: string | null
  readonly type: EventType | null
  /** Only these types. Left out or null: all. */
  readonly among?: ReadonlyArray<EventType> | null
  readonly resourceId: string | null
  readonly limit: number
}

export type FeedPage = { readonly publicEvents: ReadonlyArray<PublicEvent>; readonly hasMore: boolean }

/** The feed of public events, oldest first and for ever. */
export interface PublicEvents {
  /** By its id, of any merchant. */
  readonly withId: (id: string) => Promise<PublicEvent | null>
  readonly page: (request: FeedRequest) => Promise<FeedPage>
  /** Those of a merchant that the events at these positions of the log gave, in the order of the feed. */
  readonly of: (scope: Scope, positions: ReadonlyArray<bigint>) => Promise<ReadonlyArray<PublicEvent>>
  /** Of all merchants, after a place (exclusive; null: from the first on). */
  readonly next: (after: string | null, limit: number) => Promise<ReadonlyArray<PublicEvent>>
}

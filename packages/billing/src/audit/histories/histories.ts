import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type Reads, readsAll } from '../../resources/scopes.ts'
import type { Listing } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { gather, type HistoryNotFound, type HistoryOf } from './gather.ts'
import { type TimelineEntry, timelineOf } from './timeline.ts'
import { type Telling, tellingsOf } from './told-by-webhooks.ts'

/** No entry of the history has this id. */
export type EntryNotFound = { readonly _tag: 'EntryNotFound' }
export type HistoryFailure = StoreUnavailable | HistoryNotFound | EntryNotFound

/** An entry, and the deliveries that told of it. */
export type HistoryEntry = TimelineEntry & { readonly deliveries: ReadonlyArray<Telling> }

/** `startingAfter`: the entry after which the page begins. A `limit` of null is none. */
export type HistoryPage = { readonly limit: number | null; readonly startingAfter: string | null }

/**
 * What happened to a resource and to what belongs to it, oldest first, and why: one sentence for each event, its cause, money
 * in its currency and on the ledger, and the deliveries that told of it. It contains nothing personal.
 */
export interface Histories {
  readonly of: (
    scope: Scope,
    of: HistoryOf,
    page?: HistoryPage,
    reads?: Reads,
  ) => TE.TaskEither<HistoryFailure, Listing<HistoryEntry>>
}

type HistoryServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'toDo'>

export const histories = (services: HistoryServices): Histories => ({
  of:
    (scope, of, { limit, startingAfter } = { limit: null, startingAfter: null }, reads = readsAll) =>
    async () => {
      await services.caughtUp.withOwnWrites(scope.merchantId)
      const story = await gather(services, scope, of)
      if (E.isLeft(story)) return story
      const entries = timelineOf(story.right, reads)
      const from = startingAfter === null ? 0 : entries.findIndex(({ id }) => id === startingAfter) + 1
      if (startingAfter !== null && from === 0) return E.left({ _tag: 'EntryNotFound' })
      const page = entries.slice(from, limit === null ? undefined : from + limit)
      const positionOf = new Map(story.right.map(({ recorded: { id, position } }) => [id, position]))
      const positions = page.flatMap(({ id }) => positionOf.get(id) ?? [])
      const told = await tellingsOf(services, scope, positions, reads)
      const resources = page.map((entry) => ({ ...entry, deliveries: told.get(positionOf.get(entry.id) ?? -1n) ?? [] }))
      return E.right({ resources, hasMore: from + page.length < entries.length })
    },
})

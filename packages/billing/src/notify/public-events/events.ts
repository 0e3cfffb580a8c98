import type { EventType } from '@quittance/domain'
import type { PublicEvent, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import { type Reads, readsAll } from '../../resources/scopes.ts'
import { familyOf, readableTypes } from '../../resources/visible.ts'
import type { Listing } from '../../services/listing.ts'
import { historyOf } from './as-of.ts'
import type { EventBody } from './body.ts'
import { renderPublicEvent } from './render-public-event.ts'
import type { PublicEventServices } from './services.ts'

export type EventNotFound = { readonly _tag: 'EventNotFound' }

/** The page begins behind the event `after`, or at the first event if it is null. */
export type EventsRequest = Scope & {
  readonly after: string | null
  readonly type: EventType | null
  readonly resourceId: string | null
  readonly limit: number
  /** What the caller may read: nothing else is found. */
  readonly reads?: Reads
}

/** Public events as webhooks deliver them: oldest first, kept for ever, without gaps. */
export interface Events {
  readonly retrieve: (
    scope: Scope,
    id: string,
    reads?: Reads,
  ) => TE.TaskEither<StoreUnavailable | EventNotFound, EventBody>
  /** Errors: `EventNotFound` if `after` is no event of the merchant. */
  readonly list: (request: EventsRequest) => TE.TaskEither<StoreUnavailable | EventNotFound, Listing<EventBody>>
}

export const events = (services: PublicEventServices): Events => {
  const { readModels, caughtUp } = services
  const renderFrom = renderPublicEvent(services)
  const render = async (publicEvent: PublicEvent, reads: Reads): Promise<E.Either<StoreUnavailable, EventBody>> => {
    const history = await historyOf(services, publicEvent)
    return E.isLeft(history) ? history : renderFrom(publicEvent, history.right, reads)
  }
  const find = async (scope: Scope, id: string, reads: Reads): Promise<E.Either<EventNotFound, PublicEvent>> => {
    const publicEvent = await readModels.publicEvents.withId(id)
    return publicEvent !== null && isIn(scope, publicEvent) && reads(familyOf(publicEvent.type))
      ? E.right(publicEvent)
      : E.left({ _tag: 'EventNotFound' })
  }
  return {
    retrieve:
      (scope, id, reads = readsAll) =>
      async () => {
        await caughtUp.withOwnWrites(scope.merchantId)
        const found = await find(scope, id, reads)
        return E.isLeft(found) ? found : render(found.right, reads)
      },
    list: (request) => async () => {
      const { reads = readsAll } = request
      await caughtUp.withOwnWrites(request.merchantId)
      const last = request.after === null ? E.right(null) : await find(request, request.after, reads)
      if (E.isLeft(last)) return last
      const after = last.right?.place ?? null
      const { publicEvents, hasMore } = await readModels.publicEvents.page({
        ...request,
        after,
        among: reads === readsAll ? null : readableTypes(reads),
      })
      const resources: Array<EventBody> = []
      for (const publicEvent of publicEvents) {
        const body = await render(publicEvent, reads)
        if (E.isLeft(body)) return body
        resources.push(body.right)
      }
      return E.right({ resources, hasMore })
    },
  }
}

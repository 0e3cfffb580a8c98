import type { EventType } from '@quittance/domain'
import type { FeedRequest, PublicEvent, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isIn, type StoreUnavailable } from '../../kernel/load.ts'
import type { Listing } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import type { EventBody } from './body.ts'
import { renderPublicEvent } from './render-public-event.ts'

export type EventNotFound = { readonly _tag: 'EventNotFound' }

/** `after` is an event's id: what follows it. Without it, from the first event on. */
export type EventsRequest = Scope & {
  readonly after: string | null
  readonly type: EventType | null
  readonly resourceId: string | null
  readonly limit: number
}

/** What has happened, as webhooks tell it: oldest first, for ever, without gaps. */
export interface Events {
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | EventNotFound, EventBody>
  /** Errors: `EventNotFound` where `after` is none of the merchant's. */
  readonly list: (request: EventsRequest) => TE.TaskEither<StoreUnavailable | EventNotFound, Listing<EventBody>>
}

export const events = (services: Services): Events => {
  const { readModels, caughtUp } = services
  const render = renderPublicEvent(services)
  const found = (scope: Scope, id: string): E.Either<EventNotFound, PublicEvent> => {
    const publicEvent = readModels.publicEvents.withId(id)
    return publicEvent !== null && isIn(scope, publicEvent) ? E.right(publicEvent) : E.left({ _tag: 'EventNotFound' })
  }
  const placeOf = (scope: Scope, id: string | null): E.Either<EventNotFound, FeedRequest['after']> =>
    id === null ? E.right(null) : E.map(({ place }: PublicEvent) => place)(found(scope, id))
  const own = ({ merchantId }: Scope) => TE.fromTask(() => caughtUp.withOwnWrites(merchantId))
  return {
    retrieve: (scope, id) =>
      pipe(
        own(scope),
        TE.chainEitherKW(() => found(scope, id)),
        TE.chainW(render),
      ),
    list: (request) =>
      pipe(
        own(request),
        TE.chainEitherKW(() => placeOf(request, request.after)),
        TE.map((after) => readModels.publicEvents.page({ ...request, after })),
        TE.chainW(({ publicEvents, hasMore }) =>
          TE.map((resources: ReadonlyArray<EventBody>) => ({ resources, hasMore }))(
            TE.traverseSeqArray(render)(publicEvents),
          ),
        ),
      ),
  }
}

import { DeliveryId, EventId, idBoundary, type WebhookRejection } from '@quittance/domain'
import { webhooks as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClaimLost } from '../../kernel/claims.ts'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type DeliveryResource, deliveryResource } from '../../resources/delivery.ts'
import type { Listing } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { withClaim } from '../../stores/claims/with-claim.ts'
import type { NewDelivery } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { testEvent } from './test-event.ts'

type WebhookNotFound = Extract<WebhookRejection, { readonly _tag: 'WebhookNotFound' }>
export type DeliveryNotFound = { readonly _tag: 'DeliveryNotFound' }
export type DeliveryFailure = DeliveryNotFound | WebhookNotFound | StoreUnavailable | ClaimLost

/** What is and was on its way to an endpoint. */
export interface Deliveries {
  /** Newest first: all that is on its way, and what ended in the last 30 days. */
  readonly list: (
    webhookId: string,
    page: PageRequest,
  ) => TE.TaskEither<StoreUnavailable | WebhookNotFound, Listing<DeliveryResource>>
  readonly retrieve: (scope: Scope, webhookId: string, id: string) => TE.TaskEither<DeliveryFailure, DeliveryResource>
  /** Delivers the event once more, whatever became of this delivery, and out of the order of its resource. */
  readonly redeliver: (
    context: CommandContext,
    webhookId: string,
    id: string,
  ) => TE.TaskEither<DeliveryFailure, DeliveryResource>
  /** Delivers something that has not happened, to try the endpoint out. */
  readonly test: (context: CommandContext, webhookId: string) => TE.TaskEither<DeliveryFailure, DeliveryResource>
}

export const deliveries = ({ store, toDo, changes }: Services): Deliveries => {
  const living = (scope: Scope, webhookId: string): TE.TaskEither<StoreUnavailable | WebhookNotFound, void> =>
    pipe(
      retrieveLater(store)(model, webhookId, scope),
      TE.map(O.filter(({ row }) => row.status === 'living')),
      TE.chainEitherKW(orNotFound<WebhookNotFound>({ _tag: 'WebhookNotFound' })),
      TE.map(() => undefined),
    )
  const found = (webhookId: string, id: string): E.Either<DeliveryNotFound, Delivery> => {
    const delivery = toDo.deliveries.withId(id)
    return delivery?.webhookId === webhookId ? E.right(delivery) : E.left({ _tag: 'DeliveryNotFound' })
  }
  /** Answered as it was when it was added: a repeated command is answered alike. */
  const added = ({ alongside }: CommandContext, delivery: NewDelivery): E.Either<ClaimLost, DeliveryResource> => {
    const written = withClaim(toDo.database)(alongside, () => toDo.deliveries.add(delivery))
    if (E.isLeft(written)) return written
    changes.notify(`${model.category}-${delivery.webhookId}`)
    return E.right(deliveryResource(fresh(delivery)))
  }
  return {
    list: (webhookId, page) =>
      pipe(
        living(page, webhookId),
        TE.map(() => {
          const all = toDo.deliveries.page(webhookId, boundsOf(page), page.limit + 1)
          const isBackward = page.endingBefore !== undefined
          const rows = isBackward ? all.slice(-page.limit) : all.slice(0, page.limit)
          return { resources: rows.map(deliveryResource), hasMore: all.length > page.limit }
        }),
      ),
    retrieve: (scope, webhookId, id) =>
      pipe(
        living(scope, webhookId),
        TE.chainEitherKW(() => found(webhookId, id)),
        TE.map(deliveryResource),
      ),
    redeliver: (context, webhookId, id) =>
      pipe(
        living(context, webhookId),
        TE.chainEitherKW(() => found(webhookId, id)),
        TE.chainEitherKW((delivery) =>
          added(context, {
            ...delivery,
            id: createdId(DeliveryId, context.at, context.commandId),
            kind: delivery.kind === 'test' ? 'test' : 'again',
            createdAt: context.at,
          }),
        ),
      ),
    test: (context, webhookId) =>
      pipe(
        living(context, webhookId),
        TE.chainEitherKW(() =>
          added(context, {
            id: createdId(DeliveryId, context.at, context.commandId),
            webhookId,
            merchantId: context.merchantId,
            environment: context.environment,
            kind: 'test',
            eventId: createdId(EventId, context.at, context.commandId),
            eventType: testEvent,
            resourceId: webhookId,
            sequence: 0,
            createdAt: context.at,
          }),
        ),
      ),
  }
}

const fresh = (delivery: NewDelivery): Delivery => ({
  ...delivery,
  status: 'pending',
  attempts: 0,
  firstAttemptAt: null,
  lastAttemptAt: null,
  dueAt: delivery.createdAt,
  answer: null,
})

const boundsOf = ({ startingAfter, endingBefore, createdFrom, createdBefore }: PageRequest) => {
  const above = [endingBefore, createdFrom === undefined ? undefined : idBoundary(DeliveryId, createdFrom)]
  const below = [startingAfter, createdBefore === undefined ? undefined : idBoundary(DeliveryId, createdBefore)]
  const given = (ids: ReadonlyArray<string | undefined>) => ids.filter((id) => id !== undefined).sort()
  return {
    above: given(above).at(-1) ?? DeliveryId.prefix,
    below: given(below).at(0) ?? `${DeliveryId.prefix}~`,
    isNewestFirst: endingBefore === undefined,
  }
}

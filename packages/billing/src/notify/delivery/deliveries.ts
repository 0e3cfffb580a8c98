import { DeliveryId, EventId, idBoundary, Webhook } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import type { PageRequest, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClaimLost } from '../../kernel/claims.ts'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type DeliveryResource, deliveryResource } from '../../resources/delivery.ts'
import { type Reads, readsAll } from '../../resources/scopes.ts'
import { readableTypes, readsWholly } from '../../resources/visible.ts'
import type { Listing } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { withClaim } from '../../stores/claims/with-claim.ts'
import type { NewDelivery } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { livingWebhook, type WebhookNotFound } from '../webhooks/webhooks.ts'
import { keptMs } from './schedule.ts'
import { testEvent } from './test-event.ts'

export type DeliveryNotFound = { readonly _tag: 'DeliveryNotFound' }
export type DeliveryFailure = DeliveryNotFound | WebhookNotFound | StoreUnavailable | ClaimLost

/** The deliveries to an endpoint. */
export interface Deliveries {
  /** Newest first: all pending deliveries, and those that ended in the last 30 days. Shows only events that `reads` allows. */
  readonly list: (
    webhookId: string,
    page: PageRequest,
    reads?: Reads,
  ) => TE.TaskEither<StoreUnavailable | WebhookNotFound, Listing<DeliveryResource>>
  readonly retrieve: (
    scope: Scope,
    webhookId: string,
    id: string,
    reads?: Reads,
  ) => TE.TaskEither<DeliveryFailure, DeliveryResource>
  /** Delivers the event once more, whatever the outcome of this delivery, and not in the order of its resource. */
  readonly redeliver: (
    context: CommandContext,
    webhookId: string,
    id: string,
  ) => TE.TaskEither<DeliveryFailure, DeliveryResource>
  /** Delivers a test event, to try the endpoint. */
  readonly test: (context: CommandContext, webhookId: string) => TE.TaskEither<DeliveryFailure, DeliveryResource>
}

export const deliveries = (services: Pick<Services, 'store' | 'toDo' | 'changes' | 'clock'>): Deliveries => {
  const { toDo } = services
  return {
    list:
      (webhookId, page, reads = readsAll) =>
      async () => {
        const webhook = await livingWebhook(services, page, webhookId)
        if (E.isLeft(webhook)) return webhook
        const asked = toDo.deliveries.page(webhookId, boundsOf(page), page.limit + 1, typesFor(reads))
        const all = await toDo.sql.run(asked)
        const rows = page.endingBefore === undefined ? all.slice(0, page.limit) : all.slice(-page.limit)
        return E.right({ resources: rows.map(shownTo(reads)), hasMore: all.length > page.limit })
      },
    retrieve:
      (scope, webhookId, id, reads = readsAll) =>
      async () =>
        E.map(shownTo(reads))(await findDelivery(services, scope, webhookId, id, reads)),
    redeliver: (context, webhookId, id) => async () => {
      const delivery = await findDelivery(services, context, webhookId, id)
      if (E.isLeft(delivery)) return delivery
      return add(services, context, {
        ...delivery.right,
        id: createdId(DeliveryId, context.at, context.commandId),
        kind: delivery.right.kind === 'test' ? 'test' : 'again',
        createdAt: context.at,
      })
    },
    test: (context, webhookId) => async () => {
      const webhook = await livingWebhook(services, context, webhookId)
      if (E.isLeft(webhook)) return webhook
      return add(services, context, {
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
      })
    },
  }
}

const findDelivery = async (
  services: Pick<Services, 'store' | 'toDo'>,
  scope: Scope,
  webhookId: string,
  id: string,
  reads: Reads = readsAll,
): Promise<E.Either<StoreUnavailable | WebhookNotFound | DeliveryNotFound, Delivery>> => {
  const webhook = await livingWebhook(services, scope, webhookId)
  if (E.isLeft(webhook)) return webhook
  const delivery = await services.toDo.sql.run(services.toDo.deliveries.withId(id))
  return delivery?.webhookId === webhookId && typesFor(reads).includes(delivery.eventType)
    ? E.right(delivery)
    : E.left({ _tag: 'DeliveryNotFound' })
}

const typesFor = (reads: Reads): ReadonlyArray<string> => [...readableTypes(reads), testEvent]

/** The answer of a receiver may repeat the whole event. */
const shownTo =
  (reads: Reads) =>
  (delivery: Delivery): DeliveryResource => {
    const isWhole = delivery.eventType === testEvent || readsWholly(reads, delivery.eventType)
    return { ...deliveryResource(delivery), ...(isWhole ? {} : { response_body: null }) }
  }

/**
 * Answers the delivery as it was added: a repeated command gets the same answer. One that may be purged already is not
 * added, and so not sent, again.
 */
const add = async (
  { toDo, changes, clock }: Pick<Services, 'toDo' | 'changes' | 'clock'>,
  { alongside }: CommandContext,
  delivery: NewDelivery,
): Promise<E.Either<ClaimLost, DeliveryResource>> => {
  if (delivery.createdAt + keptMs < clock.now(delivery.environment)) return E.right(deliveryResource(fresh(delivery)))
  const added = await withClaim(toDo.sql)(alongside, addAndRefresh(toDo, delivery))
  if (E.isLeft(added)) return added
  changes.notify(`${Webhook.category}-${delivery.webhookId}`)
  return E.right(deliveryResource(fresh(delivery)))
}

/** Whichever process looks next finds it due. */
const addAndRefresh = ({ deliveries, endpoints }: Services['toDo'], delivery: NewDelivery): SqlProgram<void> =>
  function* () {
    yield* endpoints.hold(delivery.webhookId)()
    yield* deliveries.add(delivery)()
    yield* endpoints.refresh(delivery.webhookId)()
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

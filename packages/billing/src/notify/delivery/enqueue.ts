import { DeliveryId, type UnixMs, unixMs } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import type { PublicEvent } from '@quittance/projections'
import { createdId } from '../../kernel/derive.ts'
import type { Services } from '../../services/services.ts'
import type { NewDelivery } from '../../stores/deliveries/deliveries.ts'
import type { Progress } from '../../stores/deliveries/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { triedForMs } from './schedule.ts'

/** The public events behind an endpoint's position. `hasMore`: whether these were not all. */
export type NewEvents = { readonly found: ReadonlyArray<PublicEvent>; readonly hasMore: boolean }

/** Reads at most so many public events behind a place. */
export const readNewEvents = async (
  { readModels: { publicEvents } }: Pick<Services, 'readModels'>,
  { merchantId, environment }: Endpoint,
  after: PublicEvent['place'],
  most: number,
): Promise<NewEvents> => {
  const asked = { merchantId, environment, after, type: null, resourceId: null, limit: most }
  const { publicEvents: found, hasMore } = await publicEvents.page(asked)
  return { found, hasMore }
}

/** Whether a public event is to be delivered to an endpoint. */
export const isFor = (endpoint: Endpoint, { beginsAt }: Progress, publicEvent: PublicEvent): boolean =>
  publicEvent.occurredAt >= beginsAt && endpoint.selects(publicEvent)

/** Adds a delivery for each of these public events that an endpoint selects, and records its progress. */
export const enqueue = (
  { deliveries, endpoints }: Services['toDo'],
  endpoint: Endpoint,
  progress: Progress,
  found: ReadonlyArray<PublicEvent>,
  now: UnixMs,
): SqlProgram<void> =>
  function* () {
    for (const publicEvent of found)
      if (isFor(endpoint, progress, publicEvent)) yield* deliveries.add(deliveryOf(endpoint, publicEvent, now))()
    const last = found.at(-1)
    if (last !== undefined) yield* endpoints.reached(endpoint.id, last.id)()
  }

/**
 * Holds an endpoint, and answers how far it has read. An endpoint without progress is new, and begins at its creation; or it is older than a
 * lost to-do list, and its recent events are delivered again rather than never.
 */
export const progressOf = (
  { endpoints, begunAt }: Services['toDo'],
  { id, isDisabled, createdAt, changedAt }: Endpoint,
  now: number,
): SqlProgram<Progress> =>
  function* () {
    const known = yield* endpoints.hold(id)()
    if (known !== null) return known
    const isNew = createdAt >= (yield* begunAt(now)())
    const beginsAt = unixMs(isNew ? 0 : Math.max(0, (isDisabled ? changedAt : now) - triedForMs))
    // Another process may have enrolled it at the same moment.
    yield* endpoints.enrol(id, beginsAt)()
    return (yield* endpoints.hold(id)()) ?? { beginsAt, lastEvent: null, isSuspended: false }
  }

/** The id of the delivery of a public event to an endpoint: the same whoever adds it. */
export const deliveryIdOf = (
  endpointId: string,
  { id, occurredAt }: Pick<PublicEvent, 'id' | 'occurredAt'>,
): DeliveryId => createdId(DeliveryId, occurredAt, `${endpointId}\n${id}`)

const deliveryOf = (endpoint: Endpoint, publicEvent: PublicEvent, now: UnixMs): NewDelivery => {
  const { id: eventId, type: eventType, resourceId, sequence } = publicEvent
  return {
    id: deliveryIdOf(endpoint.id, publicEvent),
    webhookId: endpoint.id,
    merchantId: endpoint.merchantId,
    environment: endpoint.environment,
    kind: 'event' as const,
    eventId,
    eventType,
    resourceId,
    sequence,
    createdAt: now,
  }
}

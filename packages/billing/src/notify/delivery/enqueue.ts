import { DeliveryId, unixMs } from '@quittance/domain'
import { type PublicEvent, placeOf } from '@quittance/projections'
import { createdId } from '../../kernel/derive.ts'
import type { Services } from '../../services/services.ts'
import type { Progress } from '../../stores/deliveries/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { triedForMs } from './schedule.ts'

/** How many public events were read, and whether these were all. */
export type Enqueued = { readonly looked: number; readonly isThrough: boolean }

/**
 * Reads at most so many new public events for an endpoint, adds a delivery for each one that it selects, and records
 * its progress, in the caller's transaction.
 */
export const enqueue =
  ({ readModels: { publicEvents }, toDo, clock }: Pick<Services, 'readModels' | 'toDo' | 'clock'>) =>
  (endpoint: Endpoint, most: number): Enqueued => {
    const { id, merchantId, environment } = endpoint
    const { beginsAt, lastEvent } = progressOf(toDo, endpoint, clock.now(endpoint.environment))
    const known = lastEvent === null ? null : publicEvents.withId(lastEvent)
    const after = known?.place ?? placeOf(endpoint.position, 0)
    const asked = { merchantId, environment, after, type: null, resourceId: null, limit: most }
    const { publicEvents: found, hasMore } = publicEvents.page(asked)
    for (const publicEvent of found) {
      if (publicEvent.occurredAt < beginsAt || !endpoint.selects(publicEvent)) continue
      toDo.deliveries.add(deliveryOf(endpoint, publicEvent, clock.now(endpoint.environment)))
    }
    const last = found.at(-1)
    if (last !== undefined) toDo.endpoints.reached(id, last.id)
    return { looked: found.length, isThrough: !hasMore }
  }

/**
 * How far an endpoint has read. An endpoint without progress is new, and begins at its creation; or it is older than a
 * lost to-do list, and its recent events are delivered again rather than never.
 */
export const progressOf = (
  { endpoints, begunAt }: Services['toDo'],
  { id, isDisabled, createdAt, changedAt }: Endpoint,
  now: number,
): Progress => {
  const known = endpoints.progress(id)
  if (known !== null) return known
  const isNew = createdAt >= begunAt(now)
  const beginsAt = unixMs(isNew ? 0 : Math.max(0, (isDisabled ? changedAt : now) - triedForMs))
  endpoints.enrol(id, beginsAt)
  return { beginsAt, lastEvent: null, isSuspended: false }
}

const deliveryOf = (endpoint: Endpoint, publicEvent: PublicEvent, now: ReturnType<Services['clock']['now']>) => {
  const { id: eventId, type: eventType, resourceId, sequence, occurredAt } = publicEvent
  return {
    id: createdId(DeliveryId, occurredAt, `${endpoint.id}\n${eventId}`),
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

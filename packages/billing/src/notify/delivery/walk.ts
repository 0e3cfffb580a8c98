import { DeliveryId, unixMs } from '@quittance/domain'
import { type PublicEvent, placeOf } from '@quittance/projections'
import { createdId } from '../../kernel/derive.ts'
import type { Services } from '../../services/services.ts'
import type { Progress } from '../../stores/deliveries/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { triedForMs } from './schedule.ts'

/** How many public events were looked at, and whether these were all. */
export type Walked = { readonly looked: number; readonly isThrough: boolean }

/**
 * Takes an endpoint further through the feed, by so many public events at the most: what it selects goes on the to-do
 * list, and it has come so far, in the transaction of the caller.
 */
export const walk =
  ({ readModels: { publicEvents }, toDo, clock }: Services) =>
  (endpoint: Endpoint, most: number): Walked => {
    const { id, merchantId, environment } = endpoint
    const { beginsAt, lastEvent } = enrolled(toDo, endpoint, clock.now())
    const known = lastEvent === null ? null : publicEvents.withId(lastEvent)
    const after = known?.place ?? placeOf(endpoint.position, 0)
    const asked = { merchantId, environment, after, type: null, resourceId: null, limit: most }
    const { publicEvents: found, hasMore } = publicEvents.page(asked)
    for (const publicEvent of found) {
      if (publicEvent.occurredAt < beginsAt || !endpoint.selects(publicEvent)) continue
      toDo.deliveries.add(deliveryOf(endpoint, publicEvent, clock.now()))
    }
    const last = found.at(-1)
    if (last !== undefined) toDo.endpoints.reached(id, last.id)
    return { looked: found.length, isThrough: !hasMore }
  }

/**
 * How far an endpoint has come. One that the list does not know is new, and told of all since it was made; or it is
 * older than the list, and the one that knew it is lost: what may still have been on its way is delivered again, rather
 * than never.
 */
export const enrolled = (
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

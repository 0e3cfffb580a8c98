import { DeliveryId, unixMs } from '@quittance/domain'
import { type Announcement, placeOf } from '@quittance/projections'
import { createdId } from '../../kernel/derive.ts'
import type { Services } from '../../services/services.ts'
import type { Progress } from '../../stores/deliveries/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { triedForMs } from './schedule.ts'

/** How many announcements were looked at, and whether these were all. */
export type Walked = { readonly looked: number; readonly isThrough: boolean }

/**
 * Takes an endpoint further through the feed, by so many announcements at the most: what it is told of goes on the to-do
 * list, and it has come so far, in the transaction of the caller.
 */
export const walk =
  ({ readModels: { announcements }, toDo, clock }: Services) =>
  (endpoint: Endpoint, most: number): Walked => {
    const { id, merchantId, environment } = endpoint
    const { beginsAt, lastEvent } = enrolled(toDo, endpoint, clock.now())
    const known = lastEvent === null ? null : announcements.withId(lastEvent)
    const after = known?.place ?? placeOf(endpoint.position, 0)
    const asked = { merchantId, environment, after, type: null, resourceId: null, limit: most }
    const { announcements: found, hasMore } = announcements.page(asked)
    for (const announcement of found) {
      if (announcement.occurredAt < beginsAt || !endpoint.selects(announcement)) continue
      toDo.deliveries.add(deliveryOf(endpoint, announcement, clock.now()))
    }
    const last = found.at(-1)
    if (last !== undefined) toDo.endpoints.reached(id, last.id)
    return { looked: found.length, isThrough: !hasMore }
  }

/**
 * How far an endpoint has come. One that the list does not know is new, and told of all since it was made; or it is older than
 * the list, and the one that knew it is lost: what may still have been on its way is delivered again, rather than never.
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

const deliveryOf = (endpoint: Endpoint, announcement: Announcement, now: ReturnType<Services['clock']['now']>) => {
  const { id: eventId, type: eventType, resourceId, sequence, occurredAt } = announcement
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

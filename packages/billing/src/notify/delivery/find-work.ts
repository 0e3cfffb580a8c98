import { timesOf } from '../../kernel/clock.ts'
import type { EndpointIsolation } from './endpoint-isolation.ts'
import { endpointsOf, newEventReader } from './new-events.ts'
import { keptMs } from './schedule.ts'
import type { DeliveryServices } from './services.ts'

/** A transaction blocks the whole process, so each one handles at most so many items. */
const [dueAtOnce, purgedAtOnce] = [1_000, 500]
const betweenSweepsMs = 60_000

/** Endpoints that may have due deliveries, and endpoints to examine again. */
type Endpoints = { readonly ready: Set<string>; readonly toExamine: Set<string> }

/**
 * Finds work for endpoints in the caller's transaction, from new events and without a notification: of other processes,
 * due by the clock, or missed before. Answers whether more new events are left.
 */
export const workFinder = (
  services: DeliveryServices,
  isolation: EndpointIsolation,
  { wallNow, pollMs }: { readonly wallNow: () => number; readonly pollMs: number },
  { ready, toExamine }: Endpoints,
): ((isThorough: boolean) => boolean) => {
  const { toDo, clock, readModels } = services
  const readNewEvents = newEventReader(services)
  let [sweptAt, polledAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const poll = (isThorough: boolean): void => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    for (const webhookId of toDo.deliveries.expire(wallNow(), timesOf(clock))) {
      toDo.endpoints.refresh(webhookId)
      ready.add(webhookId)
    }
    for (const webhookId of toDo.endpoints.due(timesOf(clock), dueAtOnce)) ready.add(webhookId)
    for (const webhookId of isolation.dueNow()) toExamine.add(webhookId)
    if (wall - sweptAt < betweenSweepsMs) return
    sweptAt = wall
    for (const { id, row } of readModels.webhooks.all()) if (row.status === 'living') toExamine.add(id)
    for (const webhookId of toDo.endpoints.all()) toExamine.add(webhookId)
    toDo.deliveries.purge(keptMs, timesOf(clock), purgedAtOnce)
  }

  return (isThorough) => {
    poll(isThorough)
    const { scopes, lastEvent, isAll } = readNewEvents()
    for (const scope of scopes) for (const webhookId of endpointsOf(services, scope)) toExamine.add(webhookId)
    if (lastEvent !== null) toDo.looked(lastEvent)
    return !isAll
  }
}

import type { SqlProgram } from '@quittance/event-store'
import { timesOf } from '../../kernel/clock.ts'
import { soonDurable } from '../../stores/deliveries/soon-durable.ts'
import type { EndpointIsolation } from './endpoint-isolation.ts'
import { endpointsOf, newEventReader } from './new-events.ts'
import { keptMs } from './schedule.ts'
import type { DeliveryServices } from './services.ts'

/** A transaction may block the whole process, so each one handles at most so many items. */
const [dueAtOnce, purgedAtOnce] = [1_000, 500]
const betweenSweepsMs = 60_000

/** Endpoints that may have due deliveries, and endpoints to examine again. */
type Endpoints = { readonly ready: Set<string>; readonly toExamine: Set<string> }

/**
 * Finds work for endpoints, from new events and without a notification: of other processes, due by the clock, or missed
 * before. Answers whether more new events are left.
 */
export const workFinder = (
  services: DeliveryServices,
  isolation: EndpointIsolation,
  { wallNow, pollMs }: { readonly wallNow: () => number; readonly pollMs: number },
  { ready, toExamine }: Endpoints,
): ((isThorough: boolean) => Promise<boolean>) => {
  const { toDo, clock, readModels } = services
  const { sql, deliveries, endpoints } = toDo
  const readNewEvents = newEventReader(services)
  let [sweptAt, polledAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const expire: SqlProgram<ReadonlyArray<string>> = function* () {
    const expired = yield* deliveries.expire(wallNow(), timesOf(clock))()
    for (const webhookId of expired) yield* endpoints.refresh(webhookId)()
    return expired
  }

  const poll = async (isThorough: boolean): Promise<void> => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    for (const webhookId of await sql.run(expire, soonDurable)) ready.add(webhookId)
    for (const webhookId of await sql.run(endpoints.due(timesOf(clock), dueAtOnce))) ready.add(webhookId)
    for (const webhookId of await isolation.dueNow()) toExamine.add(webhookId)
    if (wall - sweptAt < betweenSweepsMs) return
    sweptAt = wall
    for (const { id, row } of await readModels.webhooks.all()) if (row.status === 'living') toExamine.add(id)
    for (const webhookId of await sql.run(endpoints.all)) toExamine.add(webhookId)
    await sql.run(deliveries.purge(keptMs, timesOf(clock), purgedAtOnce), soonDurable)
  }

  return async (isThorough) => {
    await poll(isThorough)
    const { scopes, lastEvent, isAll } = await readNewEvents()
    for (const scope of scopes) for await (const webhookId of endpointsOf(services, scope)) toExamine.add(webhookId)
    if (lastEvent !== null) await sql.run(toDo.looked(lastEvent), soonDurable)
    return !isAll
  }
}

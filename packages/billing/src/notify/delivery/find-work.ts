import type { SqlProgram } from '@quittance/event-store'
import { timesOf } from '../../kernel/clock.ts'
import { holdingEndpoints, inAnyOrder } from '../../stores/deliveries/soon-durable.ts'
import type { EndpointIsolation } from './endpoint-isolation.ts'
import { endpointsOf, newEventReader } from './new-events.ts'
import { keptMs } from './schedule.ts'
import type { DeliveryServices } from './services.ts'

/** A transaction may block the whole process, so each one handles at most so many items. */
const purgedAtOnce = 500
const betweenSweepsMs = 60_000

/** Endpoints that may have due deliveries, and endpoints to examine again. */
export type Endpoints = { readonly ready: Set<string>; readonly toExamine: Set<string> }

export type Polling = { readonly wallNow: () => number; readonly pollMs: number }

/** Finds what becomes of events, leases and time. Of the processes that share a database, one is enough. */
export type WorkFinder = {
  /** Answers whether more new events are left. A thorough look leaves nothing out. */
  readonly find: (isThorough: boolean) => Promise<boolean>
  /** Forgets how far it came, since another process has fed meanwhile: goes on from the database, and sweeps. */
  readonly beginAnew: () => void
}

/** Finds endpoints to examine, from new events and without a notification, and ends the leases of processes that died. */
export const createWorkFinder = (
  services: DeliveryServices,
  isolation: EndpointIsolation,
  { wallNow, pollMs }: Polling,
  { ready, toExamine }: Endpoints,
): WorkFinder => {
  const { toDo, clock, readModels } = services
  const { sql, deliveries, endpoints } = toDo
  const newEvents = newEventReader(services)
  let [sweptAt, polledAt, notedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let unnoted: string | null = null

  const expire = async (): Promise<void> => {
    const [wall, now] = [wallNow(), timesOf(clock)]
    const expireOne = (webhookId: string): SqlProgram<void> =>
      function* () {
        yield* endpoints.hold(webhookId)()
        yield* deliveries.expire(webhookId, wall, now)()
        yield* endpoints.refresh(webhookId)()
      }
    for (const webhookId of await sql.run(deliveries.expired(wall))) {
      await sql.run(expireOne(webhookId), holdingEndpoints)
      ready.add(webhookId)
    }
  }

  /** Notes how far it has looked, at most once for each poll: whoever begins behind it finds the same again. */
  const note = async (isThorough: boolean): Promise<void> => {
    const wall = performance.now()
    if (unnoted === null || (!isThorough && wall - notedAt < pollMs)) return
    await sql.run(toDo.looked(unnoted), inAnyOrder)
    unnoted = null
    notedAt = wall
  }

  const poll = async (isThorough: boolean): Promise<void> => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    await expire()
    for (const webhookId of await isolation.dueNow()) toExamine.add(webhookId)
    if (wall - sweptAt < betweenSweepsMs) return
    for (const { id, row } of await readModels.webhooks.all()) if (row.status === 'living') toExamine.add(id)
    for (const webhookId of await sql.run(endpoints.all)) toExamine.add(webhookId)
    sweptAt = wall
    await sql.run(deliveries.purge(keptMs, timesOf(clock), purgedAtOnce), inAnyOrder)
  }

  return {
    find: async (isThorough) => {
      await poll(isThorough)
      try {
        const { scopes, lastEvent, isAll } = await newEvents.read()
        for (const scope of scopes) for await (const webhookId of endpointsOf(services, scope)) toExamine.add(webhookId)
        unnoted = lastEvent ?? unnoted
        await note(isThorough)
        return !isAll
      } catch (cause) {
        // What was read may not have reached its endpoints: it is read again.
        newEvents.beginAnew()
        throw cause
      }
    },
    beginAnew: () => {
      newEvents.beginAnew()
      unnoted = null
      sweptAt = Number.NEGATIVE_INFINITY
    },
  }
}

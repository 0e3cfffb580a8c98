import type { UnixMs } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import { type PublicEvent, placeOf } from '@quittance/projections'
import type { Services } from '../../services/services.ts'
import { holdingEndpoints } from '../../stores/deliveries/soon-durable.ts'
import type { Endpoint } from './endpoint.ts'
import { enqueue, isFor, type NewEvents, progressOf, readNewEvents } from './enqueue.ts'

/** Whether an endpoint may have deliveries to send, has nothing to do, or has to be examined again. */
export type Finding = 'ready' | 'idle' | 'again'
/** `rows`: how many rows the examination read. */
export type Examined = { readonly finding: Finding; readonly rows: number }

/**
 * How far an endpoint's events have been read. `lastEvent` is what the to-do list names; behind it there may be `passed` events that
 * the endpoint does not select, which whoever goes on from the list passes again.
 */
type Reach = { readonly lastEvent: string | null; readonly place: PublicEvent['place']; readonly passed: number }

/** So many events that nobody selects are passed before the to-do list says so. */
const mostPassed = 1_000

const nothingToSee: NewEvents = { found: [], hasMore: false }

/**
 * Updates the to-do list for an endpoint: enqueues new events, suspends a disabled endpoint, and removes a deleted one
 * (null). Reads at most `most` rows first, and then writes in one transaction, so nothing is written if it throws. Events that the
 * endpoint does not select are not worth one.
 */
export const examine = (services: Pick<Services, 'readModels' | 'toDo' | 'clock'>) => {
  const { toDo, clock } = services
  const { sql, deliveries, endpoints } = toDo
  const reaches = new Map<string, Reach>()

  const reachOf = async ({ id, position }: Endpoint, lastEvent: string | null): Promise<Reach> => {
    const known = reaches.get(id)
    if (known !== undefined && known.lastEvent === lastEvent) return known
    const event = lastEvent === null ? null : await services.readModels.publicEvents.withId(lastEvent)
    return { lastEvent, place: event?.place ?? placeOf(position, 0), passed: 0 }
  }

  const forget = (webhookId: string, most: number): SqlProgram<Examined> =>
    function* () {
      yield* endpoints.hold(webhookId)()
      if (!(yield* deliveries.forget(webhookId, most)())) return { finding: 'again', rows: most }
      yield* endpoints.remove(webhookId)()
      return { finding: 'idle', rows: 0 }
    }

  /** Writes what follows from events that were read behind `lastEvent`, unless another process has moved the position. */
  const update = (
    endpoint: Endpoint,
    lastEvent: string | null,
    { found, hasMore }: NewEvents,
    now: UnixMs,
  ): SqlProgram<Examined> =>
    function* () {
      const { id, isDisabled } = endpoint
      const progress = yield* progressOf(toDo, endpoint, now)()
      if (progress.isSuspended !== isDisabled) yield* endpoints.suspend(id, isDisabled)()
      const isCurrent = progress.lastEvent === lastEvent
      if (isCurrent) yield* enqueue(toDo, endpoint, progress, found, now)()
      yield* endpoints.refresh(id)()
      const finding = hasMore || !isCurrent ? 'again' : isDisabled ? 'idle' : 'ready'
      return { finding, rows: found.length }
    }

  return async (webhookId: string, endpoint: Endpoint | null, most: number): Promise<Examined> => {
    if (endpoint === null) {
      reaches.delete(webhookId)
      return sql.run(forget(webhookId, most), holdingEndpoints)
    }
    const progress = await sql.run(endpoints.progress(webhookId))
    const reach = await reachOf(endpoint, progress?.lastEvent ?? null)
    const newEvents = endpoint.isDisabled ? nothingToSee : await readNewEvents(services, endpoint, reach.place, most)
    const { found, hasMore } = newEvents
    const passed = reach.passed + found.length
    const place = found.at(-1)?.place ?? reach.place
    const isOfUse =
      progress === null ||
      progress.isSuspended !== endpoint.isDisabled ||
      found.some((each) => isFor(endpoint, progress, each))
    if (!isOfUse && passed < mostPassed) {
      reaches.set(webhookId, { ...reach, place, passed })
      return { finding: hasMore ? 'again' : 'idle', rows: found.length }
    }
    const now = clock.now(endpoint.environment)
    const examined = await sql.run(update(endpoint, reach.lastEvent, newEvents, now), holdingEndpoints)
    const last = found.at(-1)
    reaches.set(webhookId, last === undefined ? reach : { lastEvent: last.id, place, passed: 0 })
    return examined
  }
}

import type { UnixMs } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import type { Services } from '../../services/services.ts'
import { holdingEndpoints } from '../../stores/deliveries/soon-durable.ts'
import type { Endpoint } from './endpoint.ts'
import { enqueue, type NewEvents, progressOf, readNewEvents } from './enqueue.ts'

/** Whether an endpoint may have deliveries to send, has nothing to do, or has to be examined again. */
export type Finding = 'ready' | 'idle' | 'again'
/** `rows`: how many rows the examination read. */
export type Examined = { readonly finding: Finding; readonly rows: number }

const nothingToSee: NewEvents = { found: [], hasMore: false }

/**
 * Updates the to-do list for an endpoint: enqueues new events, suspends a disabled endpoint, and removes a deleted one
 * (null). Reads at most `most` rows first, and then writes in one transaction, so nothing is written if it throws.
 */
export const examine = (services: Pick<Services, 'readModels' | 'toDo' | 'clock'>) => {
  const { toDo, clock } = services
  const { sql, deliveries, endpoints } = toDo

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
    if (endpoint === null) return sql.run(forget(webhookId, most), holdingEndpoints)
    const lastEvent = (await sql.run(endpoints.progress(webhookId)))?.lastEvent ?? null
    const newEvents = endpoint.isDisabled ? nothingToSee : await readNewEvents(services, endpoint, lastEvent, most)
    return sql.run(update(endpoint, lastEvent, newEvents, clock.now(endpoint.environment)), holdingEndpoints)
  }
}

import type { Services } from '../../services/services.ts'
import type { Endpoint } from './endpoint.ts'
import { type Enqueued, enqueue, progressOf } from './enqueue.ts'

/** Whether an endpoint may have deliveries to send, has nothing to do, or has to be examined again. */
export type Finding = 'ready' | 'idle' | 'again'
/** `rows`: how many rows the examination read. */
export type Examined = { readonly finding: Finding; readonly rows: number }

/**
 * Updates the to-do list for an endpoint in the caller's transaction: enqueues new events, suspends a disabled
 * endpoint, and removes a deleted one (null). Reads at most `most` rows.
 */
export const examine =
  (services: Pick<Services, 'readModels' | 'toDo' | 'clock'>) =>
  (webhookId: string, endpoint: Endpoint | null, most: number): Examined => {
    const { deliveries, endpoints } = services.toDo
    if (endpoint === null) {
      if (!deliveries.forget(webhookId, most)) return { finding: 'again', rows: most }
      endpoints.remove(webhookId)
      return { finding: 'idle', rows: 0 }
    }
    const { isSuspended } = progressOf(services.toDo, endpoint, services.clock.now(endpoint.environment))
    if (isSuspended !== endpoint.isDisabled) endpoints.suspend(webhookId, endpoint.isDisabled)
    const { looked, isThrough } = endpoint.isDisabled ? nothingToSee : enqueue(services)(endpoint, most)
    endpoints.refresh(webhookId)
    const finding = !isThrough ? 'again' : endpoint.isDisabled ? 'idle' : 'ready'
    return { finding, rows: looked }
  }

const nothingToSee: Enqueued = { looked: 0, isThrough: true }

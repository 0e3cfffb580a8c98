import type { Services } from '../../services/services.ts'
import type { Endpoint } from './endpoint.ts'
import { enrolled, type Walked, walk } from './walk.ts'

/**
 * What was found out about an endpoint: there may be something to send; it has nothing to do; or there is more to see
 * to.
 */
export type Finding = 'ready' | 'idle' | 'again'
/** `rows`: how many were looked at for it. */
export type Examined = { readonly finding: Finding; readonly rows: number }

/**
 * Brings the to-do list in line with what an endpoint is (null: gone), in the transaction of the caller: a living one
 * is told of what is new, a disabled one waits where it is, and of a deleted one nothing is left. `most`: rows at once.
 */
export const examine =
  (services: Services) =>
  (webhookId: string, endpoint: Endpoint | null, most: number): Examined => {
    const { deliveries, endpoints } = services.toDo
    if (endpoint === null) {
      if (!deliveries.forget(webhookId, most)) return { finding: 'again', rows: most }
      endpoints.remove(webhookId)
      return { finding: 'idle', rows: 0 }
    }
    const { isSuspended } = enrolled(services.toDo, endpoint, services.clock.now())
    if (isSuspended !== endpoint.isDisabled) endpoints.suspend(webhookId, endpoint.isDisabled)
    const { looked, isThrough } = endpoint.isDisabled ? nothingToSee : walk(services)(endpoint, most)
    endpoints.refresh(webhookId)
    const finding = !isThrough ? 'again' : endpoint.isDisabled ? 'idle' : 'ready'
    return { finding, rows: looked }
  }

const nothingToSee: Walked = { looked: 0, isThrough: true }

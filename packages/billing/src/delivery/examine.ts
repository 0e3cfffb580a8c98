import type { Services } from '../services.ts'
import type { Endpoint } from './endpoint.ts'
import { enrolled, walk } from './walk.ts'

/** What was found out about an endpoint: there may be something to send; it has nothing to do; or there is more to see to. */
export type Examined = 'ready' | 'idle' | 'again'

const forgottenAtOnce = 1_000

/**
 * Brings the to-do list in line with what an endpoint is (null: gone), in the transaction of the caller: a living one is
 * told of what is new, a disabled one waits where it is, and of a deleted one nothing is left.
 */
export const examine =
  (services: Services) =>
  (webhookId: string, endpoint: Endpoint | null): Examined => {
    const { deliveries, endpoints } = services.toDo
    if (endpoint === null) {
      if (!deliveries.forget(webhookId, forgottenAtOnce)) return 'again'
      endpoints.remove(webhookId)
      return 'idle'
    }
    const { isSuspended } = enrolled(services.toDo, endpoint, services.clock.now())
    if (isSuspended !== endpoint.isDisabled) endpoints.suspend(webhookId, endpoint.isDisabled)
    const isThrough = endpoint.isDisabled || walk(services)(endpoint)
    endpoints.refresh(webhookId)
    if (!isThrough) return 'again'
    return endpoint.isDisabled ? 'idle' : 'ready'
  }

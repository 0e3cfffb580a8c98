import type { Services } from '../../services/services.ts'
import type { Lease } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import type { Pace } from './pace.ts'

/** The most deliveries of one endpoint before the next endpoint has its turn. */
const mostInTurn = 8

/**
 * Claims due deliveries of the `ready` endpoints, one endpoint after the other, in the caller's transaction. An
 * endpoint leaves `ready` when it has nothing due, or when no attempt may begin until another one has ended.
 */
export const claimDue =
  ({ toDo: { deliveries, endpoints }, clock }: Pick<Services, 'toDo' | 'clock'>, pace: Pace, lease: () => Lease) =>
  (ready: Set<string>): ReadonlyArray<Delivery> => {
    const claimed: Array<Delivery> = []
    for (const webhookId of [...ready]) {
      if (pace.isFull()) break
      if (pace.waits(webhookId)) continue
      const most = Math.min(pace.room(webhookId), mostInTurn)
      const isSuspended = endpoints.progress(webhookId)?.isSuspended ?? true
      const environment = deliveries.environmentOf(webhookId)
      const taken =
        most === 0 || isSuspended || environment === null
          ? []
          : deliveries.claim(webhookId, clock.now(environment), lease(), most)
      ready.delete(webhookId)
      // It goes behind the others.
      if (taken.length === mostInTurn) ready.add(webhookId)
      if (taken.length > 0) endpoints.refresh(webhookId)
      for (const delivery of taken) pace.began(delivery.webhookId)
      claimed.push(...taken)
    }
    return claimed
  }

import type { Services } from '../../services/services.ts'
import type { Lease } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import type { Pace } from './pace.ts'

/** At one endpoint, before the next one's turn. */
const mostInTurn = 8

/**
 * Claims what is due at endpoints that are ready, one endpoint after the other, in the transaction of the caller. An
 * endpoint leaves `ready` when nothing of it is due, or nothing more may begin there until something has ended.
 */
export const claimDue =
  ({ toDo: { deliveries, endpoints }, clock }: Services, pace: Pace, lease: () => Lease) =>
  (ready: Set<string>): ReadonlyArray<Delivery> => {
    const claimed: Array<Delivery> = []
    for (const webhookId of [...ready]) {
      if (pace.isFull()) break
      if (pace.waits(webhookId)) continue
      const most = Math.min(pace.room(webhookId), mostInTurn)
      const isSuspended = endpoints.progress(webhookId)?.isSuspended ?? true
      const taken = most === 0 || isSuspended ? [] : deliveries.claim(webhookId, clock.now(), lease(), most)
      ready.delete(webhookId)
      // Behind the others, for its next turn.
      if (taken.length === mostInTurn) ready.add(webhookId)
      if (taken.length > 0) endpoints.refresh(webhookId)
      for (const delivery of taken) pace.began(delivery.webhookId)
      claimed.push(...taken)
    }
    return claimed
  }

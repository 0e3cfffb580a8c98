import type { SqlProgram } from '@quittance/event-store'
import type { Services } from '../../services/services.ts'
import type { Lease } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { soonDurable } from '../../stores/deliveries/soon-durable.ts'
import type { Pace } from './pace.ts'

/** The most deliveries of one endpoint before the next endpoint has its turn. */
const mostInTurn = 8

/**
 * Claims due deliveries of the `ready` endpoints, one endpoint after the other, and begins them. An endpoint leaves `ready` when
 * it has nothing due, or when no attempt may begin until another one has ended.
 */
export const claimDue = (
  { toDo: { sql, deliveries, endpoints }, clock }: Pick<Services, 'toDo' | 'clock'>,
  pace: Pace,
  lease: () => Lease,
  begin: (delivery: Delivery) => void,
) => {
  const claim = (webhookId: string, most: number): SqlProgram<ReadonlyArray<Delivery>> =>
    function* () {
      if ((yield* endpoints.progress(webhookId)())?.isSuspended ?? true) return []
      const environment = yield* deliveries.environmentOf(webhookId)()
      if (environment === null) return []
      const claimed = yield* deliveries.claim(webhookId, clock.now(environment), lease(), most)()
      if (claimed.length > 0) yield* endpoints.refresh(webhookId)()
      return claimed
    }
  return async (ready: Set<string>): Promise<void> => {
    for (const webhookId of [...ready]) {
      if (pace.isFull()) return
      if (pace.waits(webhookId)) continue
      const most = Math.min(pace.room(webhookId), mostInTurn)
      // An attempt that ends from now on makes it ready again.
      ready.delete(webhookId)
      if (most === 0) continue
      try {
        const claimed = await sql.run(claim(webhookId, most), soonDurable)
        // It goes behind the others.
        if (claimed.length === mostInTurn) ready.add(webhookId)
        for (const delivery of claimed) {
          pace.began(webhookId)
          begin(delivery)
        }
      } catch (cause) {
        ready.add(webhookId)
        throw cause
      }
    }
  }
}

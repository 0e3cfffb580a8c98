import type { SqlProgram } from '@quittance/event-store'
import { type Times, timesOf } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import type { Lease } from '../../stores/deliveries/deliveries.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { holdingEndpoints } from '../../stores/deliveries/soon-durable.ts'
import type { Pace } from './pace.ts'

/** The most deliveries of one endpoint before the next endpoint has its turn. */
const mostInTurn = 8

type Claimed = ReadonlyArray<Delivery> | 'held elsewhere'

/**
 * Claims due deliveries of the `ready` endpoints, one endpoint after the other, and begins them. An endpoint leaves `ready` when
 * it has nothing due, or when no attempt may begin until another one has ended. Answers those that another process holds at this
 * moment: they stay, and whoever holds them may be stopped, so it does not wait for them.
 */
export const claimDue = (
  { toDo: { sql, deliveries, endpoints }, clock }: Pick<Services, 'toDo' | 'clock'>,
  pace: Pace,
  lease: () => Lease,
  begin: (delivery: Delivery) => void,
) => {
  const claim = (webhookId: string, taken: Lease, now: Times, most: number): SqlProgram<Claimed> =>
    function* () {
      const held = yield* endpoints.holdAtOnce(webhookId)()
      if (held === null) return (yield* endpoints.progress(webhookId)()) === null ? [] : 'held elsewhere'
      if (held.isSuspended) return []
      const environment = yield* deliveries.environmentOf(webhookId)()
      if (environment === null) return []
      const claimed = yield* deliveries.claim(webhookId, now[environment], taken, most)()
      if (claimed.length > 0) yield* endpoints.refresh(webhookId)()
      return claimed
    }
  return async (ready: Set<string>): Promise<ReadonlySet<string>> => {
    const heldElsewhere = new Set<string>()
    for (const webhookId of [...ready]) {
      if (pace.isFull()) break
      if (pace.waits(webhookId)) continue
      const most = Math.min(pace.room(webhookId), mostInTurn)
      // An attempt that ends from now on makes it ready again.
      ready.delete(webhookId)
      if (most === 0) continue
      try {
        const claimed = await sql.run(claim(webhookId, lease(), timesOf(clock), most), holdingEndpoints)
        if (claimed === 'held elsewhere') {
          ready.add(webhookId)
          heldElsewhere.add(webhookId)
          continue
        }
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
    return heldElsewhere
  }
}

import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'

/** How many merchants are remembered; those with the oldest writes are forgotten first. */
const mostMerchants = 10_000

/** A store that remembers what it wrote. */
export type OwnWrites = {
  readonly store: EventStore
  /** The position of the newest event that it wrote for a merchant; null without one. */
  readonly newestOf: (merchantId: string) => bigint | null
  /** The same for anybody; 0 without one. */
  readonly newest: () => bigint
}

export const ownWrites = (log: EventStore): OwnWrites => {
  const newest = new Map<string, bigint>()
  let newestOfAll = 0n
  const note = (merchantId: string, position: bigint): void => {
    if (position > newestOfAll) newestOfAll = position
    if (position <= (newest.get(merchantId) ?? 0n)) return
    newest.delete(merchantId)
    newest.set(merchantId, position)
    const [oldest] = newest.keys()
    if (newest.size > mostMerchants && oldest !== undefined) newest.delete(oldest)
  }
  return {
    newest: () => newestOfAll,
    newestOf: (merchantId) => newest.get(merchantId) ?? null,
    store: {
      ...log,
      append:
        (...request) =>
        async () => {
          const outcome = await log.append(...request)()
          if (E.isRight(outcome)) {
            const [event] = outcome.right.events
            if (event !== undefined) note(event.metadata.merchantId, outcome.right.position)
          }
          return outcome
        },
    },
  }
}

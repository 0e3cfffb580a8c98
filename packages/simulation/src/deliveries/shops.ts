import type { createDeliverer } from '@quittance/billing'
import type { Random } from '../random.ts'

export type Sender = Parameters<typeof createDeliverer>[1]['sender']
type Post = Parameters<Sender['post']>[0]
export type PostOutcome = Awaited<ReturnType<ReturnType<Sender['post']>>>

/** An event that a merchant's server has accepted, in order of arrival. */
export type Arrival = { readonly url: string; readonly eventId: string; readonly body: string }

/** The merchants' servers. Three of ten attempts fail, and all while a server is down. */
export interface Shops {
  readonly take: (post: Post) => PostOutcome
  readonly down: Set<string>
  readonly stopFailures: () => void
  readonly arrivals: ReadonlyArray<Arrival>
  readonly attempts: () => number
}

const unreachable: PostOutcome = { _tag: 'Unreachable', cause: 'ECONNRESET' }
const timedOut: PostOutcome = { _tag: 'TimedOut' }
const answered = (status: number): PostOutcome => ({ _tag: 'Answered', status, body: '' })

export const openShops = (random: Random): Shops => {
  const arrivals: Array<Arrival> = []
  const down = new Set<string>()
  let [attempts, isQuiet] = [0, false]
  return {
    down,
    arrivals,
    attempts: () => attempts,
    stopFailures: () => {
      isQuiet = true
      down.clear()
    },
    take: ({ url, headers, body }) => {
      attempts += 1
      const arrive = (): void => void arrivals.push({ url, eventId: headers['webhook-id'] ?? '', body })
      if (down.has(url)) return random.oneOf([unreachable, timedOut, answered(503)])
      const roll = isQuiet ? 100 : random.below(100)
      if (roll === 0) return answered(410)
      if (roll < 10) return answered(500)
      if (roll < 20) return random.oneOf([timedOut, unreachable])
      arrive()
      // The event has arrived, though the sender may not learn it.
      return roll < 30 ? random.oneOf([timedOut, unreachable]) : answered(200)
    },
  }
}

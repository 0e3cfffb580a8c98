import type { createDeliverer } from '@quittance/billing'
import type { Draws } from '../draws.ts'

export type Sender = Parameters<typeof createDeliverer>[1]['sender']
type Post = Parameters<Sender['post']>[0]
export type Answer = Awaited<ReturnType<ReturnType<Sender['post']>>>

/** What a merchant's server has taken in, in this order. */
export type Arrival = { readonly url: string; readonly eventId: string; readonly body: string }

/** The servers of merchants: each attempt fails three times in ten, all of them while a server is down. */
export interface Shops {
  readonly take: (post: Post) => Answer
  readonly down: Set<string>
  readonly quieten: () => void
  readonly arrivals: ReadonlyArray<Arrival>
  readonly attempts: () => number
}

const unreachable: Answer = { _tag: 'Unreachable', cause: 'ECONNRESET' }
const timedOut: Answer = { _tag: 'TimedOut' }
const answered = (status: number): Answer => ({ _tag: 'Answered', status, body: '' })

export const openShops = (draws: Draws): Shops => {
  const arrivals: Array<Arrival> = []
  const down = new Set<string>()
  let [attempts, isQuiet] = [0, false]
  return {
    down,
    arrivals,
    attempts: () => attempts,
    quieten: () => {
      isQuiet = true
      down.clear()
    },
    take: ({ url, headers, body }) => {
      attempts += 1
      const arrive = (): void => void arrivals.push({ url, eventId: headers['webhook-id'] ?? '', body })
      if (down.has(url)) return draws.oneOf([unreachable, timedOut, answered(503)])
      const drawn = isQuiet ? 100 : draws.below(100)
      if (drawn === 0) return answered(410)
      if (drawn < 10) return answered(500)
      if (drawn < 20) return draws.oneOf([timedOut, unreachable])
      arrive()
      // It has arrived, and nobody is told so.
      return drawn < 30 ? draws.oneOf([timedOut, unreachable]) : answered(200)
    },
  }
}

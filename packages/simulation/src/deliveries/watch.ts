import type { Services } from '@quittance/billing'
import type { SqlProgram } from '@quittance/event-store'
import type { Fixture } from '../fixture.ts'
import type { Process } from '../scheduler.ts'
import type { Sender } from './shops.ts'
import type { WallClock } from './wall-clock.ts'

type Claimed = ReturnType<Services['toDo']['deliveries']['claim']> extends SqlProgram<infer Found> ? Found : never
type Delivery = Claimed extends ReadonlyArray<infer Each> ? Each : never
type Post = Parameters<Sender['post']>[0]

/** Reports deliveries to disabled endpoints. */
export interface Watch {
  readonly claimed: (process: Process, delivery: Delivery) => void
  readonly posted: (process: Process, post: Post) => Promise<void>
  /** To be called after each effect. */
  readonly look: () => Promise<void>
  readonly broken: ReadonlyArray<string>
}

/** A process may act on a stale endpoint for this long, in milliseconds, and an attempt in progress continues. */
const mayBelieveMs = 100

export const watchOver = ({ merchantId }: Fixture, { readModels }: Services, wall: WallClock): Watch => {
  const broken: Array<string> = []
  const disabledSince = new Map<string, number>()
  /** When a process last claimed a delivery, by the wall clock. */
  const takenAt = new WeakMap<Process, Map<string, number>>()
  const rows = async () =>
    (await readModels.webhooks.page({ merchantId, environment: 'testnet', status: 'living', limit: 100 })).rows
  return {
    broken,
    claimed: (process, { webhookId, eventId }) => {
      const taken = takenAt.get(process) ?? new Map<string, number>()
      takenAt.set(process, taken.set(`${webhookId} ${eventId}`, wall.now()))
    },
    posted: async (process, { url, headers }) => {
      const row = (await rows()).find((each) => each.row.details.url === url)
      const eventId = headers['webhook-id'] ?? ''
      const at = takenAt.get(process)?.get(`${row?.id} ${eventId}`)
      if (row === undefined || at === undefined) broken.push(`${eventId} was sent to ${url} without a claim`)
      else if (at >= (disabledSince.get(row.id) ?? Number.POSITIVE_INFINITY) + mayBelieveMs)
        broken.push(`${eventId} was claimed and sent to ${url} while it was disabled`)
    },
    look: async () => {
      for (const { id, row } of await rows())
        if (!row.isDisabled) disabledSince.delete(id)
        else if (!disabledSince.has(id)) disabledSince.set(id, wall.now())
    },
  }
}

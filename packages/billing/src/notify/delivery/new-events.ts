import { Webhook } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type { Services } from '../../services/services.ts'

const readAtOnce = 1_000
const pageSize = 100

/** The scopes of the public events since the last read, and the last event. `isAll`: no more are left. */
export type NewEvents = {
  readonly scopes: ReadonlyArray<Scope>
  readonly lastEvent: string | null
  readonly isAll: boolean
}

/** Reads the public events in turn; begins where an earlier process stopped. */
export const newEventReader = ({
  readModels: { publicEvents },
  toDo,
}: Pick<Services, 'readModels' | 'toDo'>): (() => NewEvents) => {
  const lastLooked = toDo.lastLooked()
  let place = lastLooked === null ? null : (publicEvents.withId(lastLooked)?.place ?? null)
  return () => {
    const found = publicEvents.next(place, readAtOnce)
    place = found.at(-1)?.place ?? place
    const scopes = new Map(found.map((each) => [`${each.merchantId} ${each.environment}`, each]))
    return { scopes: [...scopes.values()], lastEvent: found.at(-1)?.id ?? null, isAll: found.length < readAtOnce }
  }
}

/** The living endpoints of a merchant. */
export function* endpointsOf(
  { readModels: { webhooks } }: Pick<Services, 'readModels'>,
  scope: Scope,
): Iterable<string> {
  let startingAfter: string | undefined
  for (;;) {
    const { merchantId, environment } = scope
    const from = startingAfter === undefined ? {} : { startingAfter }
    const { rows, hasMore } = webhooks.page({ merchantId, environment, status: 'living', limit: pageSize, ...from })
    for (const { id } of rows) yield id
    startingAfter = rows.at(-1)?.id
    if (!hasMore) return
  }
}

/** The id of the endpoint whose stream this is; null for other streams. */
export const webhookIn = (stream: string): string | null => {
  const prefix = `${Webhook.category}-`
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : null
}

import { Webhook } from '@quittance/domain'
import type { PublicEvent, Scope } from '@quittance/projections'
import type { Services } from '../../services/services.ts'

const readAtOnce = 1_000
const pageSize = 100

/** The scopes of the public events since the last read, and the last event. `isAll`: no more are left. */
export type NewEvents = {
  readonly scopes: ReadonlyArray<Scope>
  readonly lastEvent: string | null
  readonly isAll: boolean
}

type Place = PublicEvent['place']

export type NewEventReader = {
  readonly read: () => Promise<NewEvents>
  /** Goes on where another process has stopped. */
  readonly beginAnew: () => void
}

/** Reads the public events in turn; begins where an earlier process stopped. */
export const newEventReader = ({
  readModels: { publicEvents },
  toDo,
}: Pick<Services, 'readModels' | 'toDo'>): NewEventReader => {
  const beginning = async (): Promise<Place | null> => {
    const lastLooked = await toDo.sql.run(toDo.lastLooked)
    return lastLooked === null ? null : ((await publicEvents.withId(lastLooked))?.place ?? null)
  }
  let place: Place | null | undefined
  return {
    read: async () => {
      if (place === undefined) place = await beginning()
      const found = await publicEvents.next(place, readAtOnce)
      place = found.at(-1)?.place ?? place
      const scopes = new Map(found.map((each) => [`${each.merchantId} ${each.environment}`, each]))
      return { scopes: [...scopes.values()], lastEvent: found.at(-1)?.id ?? null, isAll: found.length < readAtOnce }
    },
    beginAnew: () => {
      place = undefined
    },
  }
}

/** The living endpoints of a merchant. */
export async function* endpointsOf(
  { readModels: { webhooks } }: Pick<Services, 'readModels'>,
  scope: Scope,
): AsyncIterable<string> {
  let startingAfter: string | undefined
  for (;;) {
    const { merchantId, environment } = scope
    const from = startingAfter === undefined ? {} : { startingAfter }
    const { rows, hasMore } = await webhooks.page({
      merchantId,
      environment,
      status: 'living',
      limit: pageSize,
      ...from,
    })
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

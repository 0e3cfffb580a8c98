import { Webhook } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type { Services } from '../../services/services.ts'

const readAtOnce = 1_000
const pageSize = 100

/** What there is to tell since somebody last looked: whose it is, and the last of it. */
export type FeedNews = {
  readonly scopes: ReadonlyArray<Scope>
  readonly lastEvent: string | null
  readonly isAll: boolean
}

/** Reads on behind a place, in which the one who asks remembers how far that was. */
export const feedReader = ({ readModels: { publicEvents }, toDo }: Services): (() => FeedNews) => {
  const lastLooked = toDo.lastLooked()
  let place = lastLooked === null ? null : (publicEvents.withId(lastLooked)?.place ?? null)
  return () => {
    const found = publicEvents.next(place, readAtOnce)
    place = found.at(-1)?.place ?? place
    const scopes = new Map(found.map((each) => [`${each.merchantId} ${each.environment}`, each]))
    return { scopes: [...scopes.values()], lastEvent: found.at(-1)?.id ?? null, isAll: found.length < readAtOnce }
  }
}

/** The endpoints of a merchant that may have to be told of something, or that another process has disabled. */
export function* endpointsOf({ readModels: { webhooks } }: Services, scope: Scope): Iterable<string> {
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

/** The endpoint whose stream this is; null for another's. */
export const webhookIn = (stream: string): string | null => {
  const prefix = `${Webhook.category}-`
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : null
}

import { Customer, CustomerMerges, type CustomerMergesEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { decodedBy, type ReadModels } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { LogUnreadable } from './log-unreadable.ts'

type Families = ReadModels['customerFamily']
type Merge = CustomerMergesEvent['data']

const decode = decodedBy(CustomerMerges)

const eventsIn = async (store: Pick<EventStore, 'readStream'>, stream: string) => {
  const slice = await store.readStream(stream)()
  if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
  return slice.right.events
}

/**
 * Which customers were one person at a moment. A merge is for ever, so that those of today who are nobody else were nobody
 * else then.
 */
export const familiesAt = (past: EventStore, log: Pick<EventStore, 'readStream'>, today: Families): Families => {
  const mergesWith = async (id: string): Promise<ReadonlyArray<Merge>> => {
    const [first] = await eventsIn(log, `${Customer.category}-${id}`)
    if (first === undefined) return []
    const { merchantId, environment } = first.metadata
    const events = await eventsIn(past, `${CustomerMerges.category}-${merchantId}/${environment}`)
    return events.map((event) => decode(event).data)
  }
  const allOf = async (id: string): Promise<ReadonlyArray<string>> => {
    if ((await today.allOf(id)).length === 1) return [id]
    const merges = await mergesWith(id)
    return withMerged(merges, remainingIn(merges, id))
  }
  return { allOf, remaining: async (id) => (await allOf(id))[0] ?? id }
}

const remainingIn = (merges: ReadonlyArray<Merge>, id: string): string => {
  const merge = merges.find(({ from }) => from === id)
  return merge === undefined ? id : remainingIn(merges, merge.into)
}

/** A customer, and those that were merged into it, in the order in which today's read model names them. */
const withMerged = (merges: ReadonlyArray<Merge>, id: string): ReadonlyArray<string> => {
  const into = merges.flatMap((merge) => (merge.into === id ? [merge.from] : [])).toSorted()
  return [id, ...into.flatMap((each) => withMerged(merges, each))]
}

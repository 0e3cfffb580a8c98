import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, Connection } from '../connection.ts'
import type { Page } from '../listing.ts'
import { Event, type EventType, listOf } from '../wire/index.ts'

type Query = {
  /** The id of the event after which to begin; without it, with the first there is. */
  readonly after?: string
  readonly type?: t.TypeOf<typeof EventType>
  readonly resource_id?: string
  /** How many events a page has, from 1 to 100: 10 unless said, and 100 for a walk. */
  readonly limit?: number
}

type Following = CallOptions & {
  /** How long to wait for more once all is there, in milliseconds: 1,000 unless said. */
  readonly pauseMs?: number
}

/** What has happened, oldest first, for ever. */
export const eventsOf = (connection: Connection) => {
  const { ask, patience } = connection
  const answer = data(listOf(Event))
  const pageOf = (query: Query, options?: CallOptions): Promise<Page<Event>> =>
    ask({ method: 'GET', path: ['events'], query, answer }, options)

  /** Page after page; where `pauseMs` is null, up to the newest. */
  async function* walk(query: Query, pauseMs: number | null, options: CallOptions): AsyncGenerator<Event, void> {
    let { after } = query
    while (options.signal?.aborted !== true) {
      const page = await pageOf({ limit: 100, ...query, ...(after === undefined ? {} : { after }) }, options)
      yield* page.data
      after = page.data.at(-1)?.id ?? after
      if (page.has_more) continue
      if (pauseMs === null) return
      await patience.clock.wait(pauseMs, options.signal ?? never)
    }
  }

  return {
    retrieve: (id: string, options?: CallOptions): Promise<Event> =>
      ask({ method: 'GET', path: ['events', id], answer: data(Event) }, options),
    /** Iterate for all events up to the newest, or take one page. Keep the last id to go on from there later. */
    list: (query: Query = {}, options: CallOptions = {}) => ({
      page: () => pageOf(query, options),
      [Symbol.asyncIterator]: () => walk(query, null, options),
    }),
    /** As `list`, and then whatever follows, until the signal aborts: what is given out last is what to go on after. */
    follow: (query: Query = {}, { pauseMs = 1_000, ...options }: Following = {}): AsyncIterable<Event> =>
      walk(query, pauseMs, options),
  }
}

const never = new AbortController().signal

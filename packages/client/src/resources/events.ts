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

  async function* walk(query: Query, options: CallOptions): AsyncGenerator<Event, void> {
    let page = await pageOf({ limit: 100, ...query }, options)
    for (;;) {
      const last = page.data.at(-1)
      yield* page.data
      if (!page.has_more || last === undefined) return
      page = await pageOf({ limit: 100, ...query, after: last.id }, options)
    }
  }

  async function* follow(query: Query, { pauseMs = 1_000, ...options }: Following): AsyncGenerator<Event, void> {
    const { signal = never } = options
    let from = query
    try {
      while (!signal.aborted) {
        for await (const event of walk(from, options)) {
          from = { ...query, after: event.id }
          yield event
        }
        await patience.clock.wait(pauseMs, signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    retrieve: (id: string, options?: CallOptions): Promise<Event> =>
      ask({ method: 'GET', path: ['events', id], answer: data(Event) }, options),
    /** Iterate for all events up to the newest, or take one page. Keep the last id to go on from there later. */
    list: (query: Query = {}, options: CallOptions = {}) => ({
      page: () => pageOf(query, options),
      [Symbol.asyncIterator]: () => walk(query, options),
    }),
    /** As `list`, and then whatever follows, until the signal aborts. It rejects as `list` does: go on after the last. */
    follow: (query: Query = {}, options: Following = {}): AsyncIterable<Event> => follow(query, options),
  }
}

const never = new AbortController().signal

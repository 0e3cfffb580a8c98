import type * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import type { Page } from '../listing.ts'
import { data } from '../response.ts'
import { Event, type EventType, listOf } from '../wire/index.ts'

type Query = {
  /** Starts after the event with this id, or at the first event. */
  readonly after?: string
  readonly type?: t.TypeOf<typeof EventType>
  readonly resource_id?: string
  /** Events per page, from 1 to 100; by default 10, and 100 while iterating. */
  readonly limit?: number
}

type FollowOptions = CallOptions & {
  /** The pause before asking for new events, in milliseconds; 1,000 by default. */
  readonly pauseMs?: number
}

/** All public events, oldest first. */
export const eventsOf = (connection: Connection) => {
  const { ask, retryPolicy } = connection
  const answer = data(listOf(Event))
  const pageOf = (query: Query, options?: CallOptions): Promise<Page<Event>> =>
    ask({ method: 'GET', path: ['events'], query, answer }, options)

  async function* all(query: Query, options: CallOptions): AsyncGenerator<Event, void> {
    let page = await pageOf({ limit: 100, ...query }, options)
    for (;;) {
      const last = page.data.at(-1)
      yield* page.data
      if (!page.has_more || last === undefined) return
      page = await pageOf({ limit: 100, ...query, after: last.id }, options)
    }
  }

  async function* follow(query: Query, { pauseMs = 1_000, ...options }: FollowOptions): AsyncGenerator<Event, void> {
    const { signal = never } = options
    let from = query
    try {
      while (!signal.aborted) {
        for await (const event of all(from, options)) {
          from = { ...query, after: event.id }
          yield event
        }
        await retryPolicy.clock.wait(pauseMs, signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    retrieve: (id: string, options?: CallOptions): Promise<Event> =>
      ask({ method: 'GET', path: ['events', id], answer: data(Event) }, options),
    /** Iterate for all events up to the newest, or take one page. Store the last id to continue from there later. */
    list: (query: Query = {}, options: CallOptions = {}) => ({
      page: () => pageOf(query, options),
      [Symbol.asyncIterator]: () => all(query, options),
    }),
    /**
     * As `list`, then all later events until the signal aborts. Rejects as `list` does; continue after the last event.
     */
    follow: (query: Query = {}, options: FollowOptions = {}): AsyncIterable<Event> => follow(query, options),
  }
}

const never = new AbortController().signal

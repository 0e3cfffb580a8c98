import { type EventStore, noEvents } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { eventsAt, type Moment } from './moment.ts'

const refused = (): never => {
  throw new Error('nothing is written to the past, and it is read stream by stream')
}

/** A log as it was at a moment, for reading its streams alone. */
export const storeAt = (store: Pick<EventStore, 'readStream'>, moment: Moment): EventStore => ({
  readStream:
    (stream, from = 0n) =>
    async () => {
      const slice = await store.readStream(stream)()
      if (E.isLeft(slice)) return slice
      const events = eventsAt(stream, moment, slice.right.events)
      const last = events.at(-1)
      const head = last === undefined ? noEvents : { revision: last.revision, hash: last.metadata.hash }
      return E.right({ events: from === 0n ? events : events.filter(({ revision }) => revision >= from), head })
    },
  append: refused,
  readAll: refused,
  subscribe: refused,
})

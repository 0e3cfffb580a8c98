import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { News } from '../../stores/news.ts'

/** A store whose appends are told as soon as they are there. */
export const telling = (store: EventStore, news: News): EventStore => ({
  ...store,
  append:
    (stream, ...request) =>
    async () => {
      const outcome = await store.append(stream, ...request)()
      if (E.isRight(outcome)) news.tell(stream)
      return outcome
    },
})

import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { ChangeNotifications } from '../../stores/change-notifications.ts'

/** A store that notifies listeners of each append. */
export const notifying = (store: EventStore, changes: ChangeNotifications): EventStore => ({
  ...store,
  append:
    (stream, ...request) =>
    async () => {
      const outcome = await store.append(stream, ...request)()
      if (E.isRight(outcome)) changes.notify(stream)
      return outcome
    },
})

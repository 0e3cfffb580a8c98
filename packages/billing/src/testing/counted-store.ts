import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** What a store was asked for. `bytes`: of the events written. */
export type StoreCounts = { reads: number; eventsRead: number; appends: number; events: number; bytes: number }

/** A store that counts, and can be stopped. */
export const countedStore = () => {
  const counts: StoreCounts = { reads: 0, eventsRead: 0, appends: 0, events: 0, bytes: 0 }
  let isStopped = false
  const stopped = TE.left({ _tag: 'StoreUnavailable' as const, cause: 'stopped' })
  const wrapped = (store: EventStore): EventStore => ({
    ...store,
    readStream: (...request) =>
      isStopped
        ? stopped
        : async () => {
            const read = await store.readStream(...request)()
            counts.reads += 1
            if (E.isRight(read)) counts.eventsRead += read.right.events.length
            return read
          },
    append: (...request) =>
      isStopped
        ? stopped
        : async () => {
            const appended = await store.append(...request)()
            counts.appends += 1
            if (E.isRight(appended)) {
              counts.events += appended.right.events.length
              for (const { data, metadata } of appended.right.events)
                counts.bytes += JSON.stringify(data).length + JSON.stringify(metadata).length
            }
            return appended
          },
  })
  return {
    wrapped,
    /** The counts since the last time. */
    take: (): StoreCounts => {
      const taken = { ...counts }
      Object.assign(counts, { reads: 0, eventsRead: 0, appends: 0, events: 0, bytes: 0 })
      return taken
    },
    stop: () => {
      isStopped = true
    },
  }
}

import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'

/** Thrown where a dead process would continue. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied'
}

/** The process dies right after its n-th append is durable, before the reply: nothing happens afterwards. */
export const dyingAfter =
  (appends: number, onDeath: () => void = () => undefined) =>
  (store: EventStore): EventStore => {
    let left = appends
    const assertAlive = (): void => {
      if (left <= 0) throw new ProcessDied()
    }
    return {
      ...store,
      readStream: (...request) => {
        assertAlive()
        return store.readStream(...request)
      },
      append: (...request) => {
        assertAlive()
        return async () => {
          const outcome = await store.append(...request)()
          if (E.isRight(outcome)) left -= 1
          if (left > 0) return outcome
          onDeath()
          throw new ProcessDied()
        }
      },
    }
  }

/** Before its n-th append, a process has to wait until something else is done. */
export const heldUpAt =
  (append: number, meanwhile: () => Promise<void>) =>
  (store: EventStore): EventStore => {
    let asked = 0
    return {
      ...store,
      append:
        (...request) =>
        async () => {
          asked += 1
          if (asked === append) await meanwhile()
          return store.append(...request)()
        },
    }
  }

/** Before it appends an event of this type, a process has to wait, the first time, until something else is done. */
export const beforeAppending =
  (type: string, meanwhile: () => Promise<void>) =>
  (store: EventStore): EventStore => {
    let isNew = true
    return {
      ...store,
      append:
        (...[stream, head, events, alongside]) =>
        async () => {
          if (isNew && events.some((event) => event.type === type)) {
            isNew = false
            await meanwhile()
          }
          return store.append(stream, head, events, alongside)()
        },
    }
  }

/** Cannot append an event of this type, the first times. */
export const refusing =
  (type: string, times: number) =>
  (store: EventStore): EventStore => {
    let left = times
    return {
      ...store,
      append: (...[stream, head, events, alongside]) => {
        const isRefused = left > 0 && events.some((event) => event.type === type)
        if (!isRefused) return store.append(stream, head, events, alongside)
        left -= 1
        return async () => E.left({ _tag: 'StoreUnavailable', cause: 'the disk is full' })
      },
    }
  }

/** Writes, but loses the first replies, so that the outcome is unknown. */
export const losingReplies =
  (replies: number, sent: Array<unknown> = []) =>
  (store: EventStore): EventStore => {
    let left = replies
    return {
      ...store,
      append: (stream, head, events, alongside) => async () => {
        sent.push({ stream, head, events })
        const outcome = await store.append(stream, head, events, alongside)()
        if (left <= 0 || E.isLeft(outcome)) return outcome
        left -= 1
        return E.left({ _tag: 'OutcomeUnknown', cause: new Error('the reply was lost') })
      },
    }
  }

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { NewEvent } from '@quittance/domain'
import { type Appended, noEvents } from '@quittance/event-store'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'

/** One append to a new stream, as it is handed to a thread. */
export type Ask = { readonly id: number; readonly stream: string; readonly events: ReadonlyArray<NewEvent> }
type Answer = { readonly id: number; readonly appended: Appended }

export type Appending = {
  readonly append: (stream: string, events: ReadonlyArray<NewEvent>) => Promise<Appended>
  readonly close: () => Promise<unknown>
}

/** Appends in this thread. */
export const inThisThread = async (path: string): Promise<Appending> => {
  const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
  return {
    append: async (stream, events) => {
      const outcome = await store.append(stream, noEvents, events)()
      if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
      return outcome.right
    },
    close: async () => store.close(),
  }
}

/** Appends in a thread of its own. What is asked in one turn of the event loop goes over in one message, as do its answers. */
export const inOwnThread = async (path: string): Promise<Appending> => {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: path })
  await once(thread, 'message')
  const waiting = new Map<number, (appended: Appended) => void>()
  let [asks, last]: [Array<Ask>, number] = [[], 0]
  thread.on('message', (answers: ReadonlyArray<Answer>) => {
    for (const { id, appended } of answers) {
      waiting.get(id)?.(appended)
      waiting.delete(id)
    }
  })
  const send = (): void => {
    thread.postMessage(asks)
    asks = []
  }
  return {
    append: (stream, events) =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        if (asks.push({ id: last, stream, events }) === 1) setImmediate(send)
      }),
    close: () => {
      thread.postMessage(null)
      return once(thread, 'exit')
    },
  }
}

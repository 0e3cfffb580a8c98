import { parentPort, workerData } from 'node:worker_threads'
import { noEvents } from '@quittance/event-store'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import type { Ask } from './appending.ts'

// Appends what the thread that answers asks for, with all read models, and answers what was written.
const store = sqliteEventStore({ path: workerData, clock: Date.now, projections: inlineProjections })
parentPort?.on('message', (asks: ReadonlyArray<Ask> | null) => {
  if (asks === null) {
    store.close()
    parentPort?.close()
    return
  }
  const appended = asks.map(async ({ id, stream, events }) => {
    const outcome = await store.append(stream, noEvents, events)()
    if (outcome._tag === 'Left') throw new Error(outcome.left._tag)
    return { id, appended: outcome.right }
  })
  void Promise.all(appended).then((answers) => parentPort?.postMessage(answers))
})
parentPort?.postMessage([])

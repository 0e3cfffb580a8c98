/** An adapter of others, under the test runner of Node: it keeps the rules of the port. */
import { describe, it } from 'node:test'
import { describeEventStore, memoryEventStore } from '@quittance/event-store/testing'

describeEventStore(
  { describe, it },
  'memory',
  async () => {
    const store = memoryEventStore({ clock: Date.now })
    return { store, another: () => store, dispose: async () => {} }
  },
  ['fillDisk', 'tamper', 'findProblems', 'logHead', 'killedAppend'],
)

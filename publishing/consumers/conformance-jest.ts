/** An adapter of others, under jest: it keeps the rules of the port, and one that does not is found out. */
import { describeEventStore, memoryEventStore } from '@quittance/event-store/testing'
import * as E from 'fp-ts/lib/Either.js'

const cannot = ['fillDisk', 'tamper', 'findProblems', 'logHead', 'killedAppend'] as const

describeEventStore(
  { describe, it },
  'memory',
  async () => {
    const store = memoryEventStore({ clock: Date.now })
    return { store, another: () => store, dispose: async () => {} }
  },
  cannot,
)

it('finds an adapter out that appends at any head', async () => {
  const failed: Array<string> = []
  const checks: Array<Promise<unknown>> = []
  const runner = {
    describe: (_: string, define: () => void) => define(),
    it: (title: string, check: () => Promise<void>) => checks.push(check().catch(() => failed.push(title))),
  }
  describeEventStore(
    runner,
    'careless',
    async () => {
      const store = memoryEventStore({ clock: Date.now })
      const append: typeof store.append = (stream, _, events) => async () => {
        const slice = await store.readStream(stream)()
        return E.isLeft(slice) ? slice : store.append(stream, slice.right.head, events)()
      }
      return { store: { ...store, append }, dispose: async () => {} }
    },
    [...cannot, 'another'],
  )
  await Promise.all(checks)
  expect(failed).toContain('recognizes a repeat: ["a"] at -1 of ["a"]')
  expect(failed).not.toContain('starts a stream: ["a"] at -1 of []')
})

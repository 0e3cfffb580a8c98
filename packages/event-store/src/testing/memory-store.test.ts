import { readLog, sampleEvent } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { memoryEventStore } from './memory-store.ts'
import { reportEventStore } from './reported-suite.ts'

reportEventStore('memory', async () => {
  const store = memoryEventStore({ clock: Date.now })
  return { store, another: () => store, dispose: async () => {} }
}, ['fillDisk', 'tamper', 'findProblems', 'logHead', 'killedAppend'])

describe('a store in memory', () => {
  it('keeps what was appended, whatever the caller does with it later', async () => {
    const store = memoryEventStore({ clock: () => 7 })
    const data = { note: 'as it was' }
    await store.append('sample-1', noEvents, [sampleEvent('a', data)])()
    data.note = 'changed'
    expect((await readLog(store)).map((event) => [event.data, event.recordedAt])).toEqual([[{ note: 'as it was' }, 7]])
  })

  it('has no transactions for writes alongside', async () => {
    const store = memoryEventStore({ clock: () => 7 })
    const append = store.append('sample-1', noEvents, [sampleEvent('a')], () => undefined)
    await expect(append()).rejects.toThrow(new TypeError('the store in memory has no SQL transactions'))
    expect(await readLog(store)).toEqual([])
  })
})

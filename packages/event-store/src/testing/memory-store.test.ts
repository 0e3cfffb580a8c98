import { setImmediate as nextTurn } from 'node:timers/promises'
import { readLog, sampleEvent } from '../conformance/sample.ts'
import { type Alongside, type EventStore, noEvents } from '../port.ts'
import { changesOf } from '../sql-program.ts'
import { memoryEventStore } from './memory-store.ts'
import { reportEventStore } from './reported-suite.ts'

const cannot = ['fillDisk', 'tamper', 'findProblems', 'logHead', 'killedAppend'] as const

/** Takes every third append three turns late, so that concurrent appends are recorded in another order than sent. */
const overtaking = (store: EventStore): EventStore => {
  let appends = 0
  return {
    ...store,
    append:
      (...sent) =>
      async () => {
        appends += 1
        if (appends % 3 === 1) for (let turn = 0; turn < 3; turn += 1) await nextTurn()
        return store.append(...sent)()
      },
  }
}

reportEventStore(
  'memory',
  async () => {
    const store = memoryEventStore({ clock: Date.now })
    return { store, another: () => store, dispose: async () => {} }
  },
  cannot,
)

reportEventStore(
  'memory, whose concurrent appends overtake each other',
  async () => {
    const store = overtaking(memoryEventStore({ clock: Date.now }))
    return { store, another: () => store, dispose: async () => {} }
  },
  cannot,
)

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
    const alongside: Alongside = function* () {
      yield* changesOf('DELETE FROM claims')()
    }
    const append = store.append('sample-1', noEvents, [sampleEvent('a')], alongside)
    await expect(append()).rejects.toThrow(new TypeError('the store in memory has no SQL transactions'))
    expect(await readLog(store)).toEqual([])
  })
})

import { join } from 'node:path'
import type { NewEvent } from '@quittance/domain'
import { type EventStore, noEvents, type StreamSlice } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import fc from 'fast-check'
import { done, refused } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { remembering } from './remembering.ts'
import { whileUnchanged } from './while-unchanged.ts'

const durability = 'relaxedLosesCommitsOnPowerLoss'

describe('a store with a cache', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let stores: ReadonlyArray<SqliteEventStore>
  beforeEach(() => {
    folder = temporaryFolder()
    stores = []
  })
  afterEach(() => {
    for (const each of stores) each.close()
    folder.remove()
  })
  const opened = (path = join(folder.path, 'log.db')): SqliteEventStore => {
    const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections, durability })
    stores = [...stores, store]
    return store
  }
  const remembered = (path?: string): EventStore => remembering(opened(path)).store

  let made = 0
  const event = (): NewEvent => ({
    id: `event-${++made}`,
    type: 'Tested',
    schemaVersion: 1,
    data: { made },
    context: {
      merchantId: 'mer_1',
      environment: 'testnet',
      commandId: 'command',
      correlationId: 'command',
      causationId: null,
      actor: 'test',
      occurredAt: 1_000,
    },
  })
  const append = async (store: EventStore, stream: string, count: number): Promise<void> => {
    const { head } = await done(store.readStream(stream))
    await done(store.append(stream, head, Array.from({ length: count }, event)))
  }
  /** Appends, and then in one commit the same again before and after what follows it. */
  const appendAgain = async (store: EventStore, stream: string, count: number): Promise<void> => {
    const { head } = await done(store.readStream(stream))
    const events = Array.from({ length: count }, event)
    const send = () => store.append(stream, head, events)
    const first = await done(send())
    await Promise.all([done(send()), done(store.append(stream, first.head, [event()])), done(send())])
  }

  const anyStep = fc.record({
    writer: fc.constantFrom(null, 0, 1, 2),
    stream: fc.constantFrom('one', 'two', 'three'),
    count: fc.constantFrom(1, 2, 30),
    isRepeated: fc.boolean(),
    from: fc.constantFrom(undefined, 0n, 1n, 3n, 200n),
    direction: fc.constantFrom('forwards' as const, 'backwards' as const),
  })

  it('answers as a store without a cache, after writes of this process and of others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 60 }), async (steps) => {
        const path = join(folder.path, `${++made}.db`)
        const [own, other, plain] = [remembered(path), remembered(path), opened(path)]
        for (const { writer, stream, count, isRepeated, from, direction } of steps) {
          const write = isRepeated ? appendAgain : append
          if (writer !== null) await write([own, other, plain][writer] ?? plain, stream, count)
          for (const store of [own, other]) {
            for (const [first, order] of [[], [from], [from, direction]] as const) {
              const expected = await done(plain.readStream(stream, first, order))
              expect(await done(store.readStream(stream, first, order))).toEqual(expected)
            }
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('answers the same list of events until the stream grows', async () => {
    const [store, other] = [remembered(), opened()]
    await append(store, 'one', 2)
    const read = async (): Promise<StreamSlice['events']> => (await done(store.readStream('one'))).events
    const first = await read()
    expect(await read()).toBe(first)
    await append(other, 'two', 1)
    expect(await read()).toBe(first)
    await append(other, 'one', 1)
    expect(await read()).toEqual([...first, expect.objectContaining({ revision: 2n })])
  })

  it('reads nothing again for its own appends, which it adds to what it knows', async () => {
    const plain = opened()
    let reads = 0
    const readStream: EventStore['readStream'] = (...request) => {
      reads++
      return plain.readStream(...request)
    }
    const { store } = remembering({ ...plain, readStream })
    await append(plain, 'one', 2)
    await append(store, 'two', 1)
    await done(store.readStream('one'))
    await done(store.append('three', noEvents, [event()]))
    await append(store, 'one', 1)
    reads = 0
    const known = await Promise.all(['one', 'two', 'three'].map((stream) => done(store.readStream(stream))))
    expect(reads).toBe(0)
    expect(known).toEqual(await Promise.all(['one', 'two', 'three'].map((stream) => done(plain.readStream(stream)))))
  })

  it.each([
    ['nothing', 'nobody', undefined],
    ['a whole stream', 'one', undefined],
    ['the end of a stream', 'one', 1n],
  ])('reads %s once after each commit, however many ask', async (_, stream, from) => {
    const plain = opened()
    const other = opened()
    await append(other, 'one', 3)
    let reads = 0
    const { store } = remembering({
      ...plain,
      readStream: (...request) => {
        reads++
        return plain.readStream(...request)
      },
    })
    for (const after of [1, 2, 3]) {
      await Promise.all([1, 2, 3].map(() => done(store.readStream(stream, from))))
      await done(store.readStream(stream, from))
      expect(reads).toBe(after)
      await append(other, 'two', 1)
    }
  })

  it('empties the cache rather than exceed its limit', async () => {
    const store = remembered()
    const read = async (stream: string): Promise<StreamSlice['events']> => (await done(store.readStream(stream))).events
    const streams = Array.from({ length: 101 }, (_, n) => `stream-${n}`)
    await Promise.all(streams.map((stream) => append(store, stream, 50)))
    const [first, ...rest] = streams
    const before = await read(first ?? '')
    for (const stream of rest) await read(stream)
    const after = await read(first ?? '')
    expect(after).not.toBe(before)
    expect(after).toEqual(before)
  })

  it('notices another history of a stream', async () => {
    const [store, other] = [remembered(), opened()]
    await append(store, 'one', 3)
    await done(store.readStream('one'))
    other.writer.execute("UPDATE events SET hash = upper(hash), data = '{}' WHERE stream = 'one'")
    expect(await done(store.readStream('one'))).toEqual(await done(other.readStream('one')))
  })

  it('fails to read, as a store without a cache, once it is closed', async () => {
    const plain = opened()
    const { store } = remembering(plain)
    await append(store, 'one', 1)
    await done(store.readStream('one'))
    plain.close()
    expect(await refused(store.readStream('one'))).toEqual(await refused(plain.readStream('one')))
  })

  it('caches nothing in memory, where no count shows its own writes', async () => {
    const store = remembered(':memory:')
    for (let n = 1; n <= 3; n++) {
      await append(store, 'one', 1)
      expect((await done(store.readStream('one'))).events).toHaveLength(n)
    }
  })

  it('keeps no failure', async () => {
    let reads = 0
    const ask = whileUnchanged(
      () => 1,
      (key: string) => key,
      async (key) => {
        if (++reads === 1) throw new Error('not now')
        return key
      },
    )
    await expect(ask('a')).rejects.toThrow('not now')
    expect(await ask('a')).toBe('a')
  })

  it('keeps no more answers than its limit, and reads dropped ones again', async () => {
    let reads = 0
    const ask = whileUnchanged(
      () => 1,
      (key: string) => key,
      async (key) => {
        reads++
        return `answer to ${key}`
      },
    )
    for (const key of ['a', 'a', 'b', 'a']) expect(await ask(key)).toBe(`answer to ${key}`)
    expect(reads).toBe(2)
    for (let n = 0; n < 5_000; n++) await ask(String(n))
    expect(await ask('a')).toBe('answer to a')
    expect(reads).toBe(5_003)
  })
})

import assert from 'node:assert/strict'
import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing'
import { type EventStore, noEvents } from '../port.ts'
import { capable, type Rule } from './rule.ts'
import { appendAt, appendSomewhere, follow, inLanes, read, readLog } from './sample.ts'

const stream = 'sample-1'
const ids = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> => events.map(({ id }) => id)

/** Takes this many events from a subscription and ends it. */
const take = (store: EventStore, after: bigint, count: number): Promise<ReadonlyArray<RecordedEvent>> =>
  follow(store, after, ({ length }) => length === count)

const storm = (store: EventStore, writer: string, events: number): Promise<void> =>
  inLanes(events, (n) => appendSomewhere(store, `storm-${n % 3}`, `${writer}-${n}`))

export const readRules: ReadonlyArray<Rule> = [
  {
    title: 'reads a stream forwards and backwards, whole or from a revision, with its head',
    check: async ({ store }) => {
      const head = await appendAt(store, stream, noEvents, ['a', 'b', 'c'])
      const slice = async (from?: bigint, direction?: 'forwards' | 'backwards') => {
        const found = right(await store.readStream(stream, from, direction)())
        return { ids: ids(found.events), head: found.head }
      }
      assert.deepEqual(await slice(), { ids: ['a', 'b', 'c'], head })
      assert.deepEqual(await slice(1n), { ids: ['b', 'c'], head })
      assert.deepEqual(await slice(3n), { ids: [], head })
      assert.deepEqual(await slice(undefined, 'backwards'), { ids: ['c', 'b', 'a'], head })
      assert.deepEqual(await slice(1n, 'backwards'), { ids: ['b', 'a'], head })
      assert.deepEqual(await slice(9n, 'backwards'), { ids: ['c', 'b', 'a'], head })
    },
  },
  {
    title: 'reads a stream without events as empty',
    check: async ({ store }) => {
      assert.deepEqual(await read(store, 'sample-none'), { events: [], head: noEvents })
    },
  },
  {
    title: 'reads the log in order from any position, limited to the requested streams',
    check: async ({ store }) => {
      await appendAt(store, 'a-1', noEvents, ['1', '2'])
      await appendAt(store, 'b-1', noEvents, ['3'])
      await appendAt(store, 'a_2', noEvents, ['4'])
      await appendAt(store, 'ä-1', noEvents, ['5'])
      const found = async (after: bigint, ...streamPrefixes: ReadonlyArray<string>) => {
        const events: RecordedEvent[] = []
        for await (const event of store.readAll(after, { streamPrefixes })) events.push(event)
        return ids(events)
      }
      const log = await readLog(store)
      assert.deepEqual(ids(log), ['1', '2', '3', '4', '5'])
      const third = log[2]?.position ?? 0n
      assert.deepEqual(await found(0n, 'a-', 'b-'), ['1', '2', '3'])
      assert.deepEqual(await found(third, 'a', 'ä'), ['4', '5'])
      assert.deepEqual(await found(third, 'b-'), [])
      assert.deepEqual(await found(0n), [])
    },
  },
  {
    title: 'finds the last event before a moment, if it can search by time',
    check: async ({ store }) => {
      const { lastBefore } = store
      if (lastBefore === undefined) return
      const found = async (moment: number) => right(await lastBefore(moment)())
      assert.equal(await found(Number.MAX_SAFE_INTEGER), 0n)
      await inLanes(10, (n) => appendSomewhere(store, stream, `${n}`))
      const log = await readLog(store)
      for (const moment of [0, ...log.flatMap(({ recordedAt }) => [recordedAt, recordedAt + 1])]) {
        const expected = log.filter(({ recordedAt }) => recordedAt < moment).at(-1)?.position ?? 0n
        assert.equal(await found(moment), expected)
      }
    },
  },
  {
    title: 'reads up to the end at the time of the call',
    check: async ({ store }) => {
      const head = await appendAt(store, stream, noEvents, ['a'])
      const reading = store.readAll(0n)
      await appendAt(store, stream, head, ['b'])
      const events: RecordedEvent[] = []
      for await (const event of reading) events.push(event)
      assert.deepEqual(ids(events), ['a'])
    },
  },
  {
    title: 'gives a subscription each event of a write storm once and in order, from any start',
    check: async ({ store }) => {
      const total = 150
      const fromStart = take(store, 0n, total)
      await storm(store, 'first', 50)
      const middle = (await readLog(store)).at(-1)?.position ?? 0n
      const fromMiddle = take(store, middle, 100)
      await storm(store, 'second', 100)
      const log = await readLog(store)
      assert.deepEqual(await fromStart, log)
      assert.deepEqual(await fromMiddle, log.slice(50))
    },
  },
  {
    title: 'gives a subscription resumed from its checkpoint each event once and in order',
    check: async ({ store }) => {
      const writing = storm(store, 'only', 90)
      const seen: RecordedEvent[] = []
      for (let part = 0; part < 9; part += 1) seen.push(...(await take(store, seen.at(-1)?.position ?? 0n, 10)))
      await writing
      assert.deepEqual(seen, await readLog(store))
    },
  },
  {
    title: "gives a subscription another process's appends",
    needs: 'another',
    check: async ({ store, another }) => {
      const seen = take(store, 0n, 30)
      await storm(capable(another)(), 'other', 30)
      assert.deepEqual(await seen, await readLog(store))
    },
  },
  {
    title: 'ends a waiting subscription when its signal aborts',
    check: async ({ store }) => {
      const abort = new AbortController()
      const events = store.subscribe(0n, abort.signal)[Symbol.asyncIterator]()
      const next = events.next()
      abort.abort()
      assert.deepEqual(await next, { done: true, value: undefined })
    },
  },
]

import assert from 'node:assert/strict'
import { right } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type Head, noEvents } from '../port.ts'
import type { Rule } from './rule.ts'
import { appendAt, read, readLog, sampleEvent, untimed } from './sample.ts'

/** A row of the truth table: stored events, sent events, expected revision, and the answer. */
type Row = {
  readonly title: string
  readonly stored: ReadonlyArray<string>
  readonly sent: ReadonlyArray<string>
  readonly expected: number
  readonly answer: 'appended' | 'repeated' | 'wrong expected revision'
}

const wrong = 'wrong expected revision'
const truthTable: ReadonlyArray<Row> = [
  { title: 'starts a stream', stored: [], sent: ['a'], expected: -1, answer: 'appended' },
  { title: 'appends at the head', stored: ['a'], sent: ['b', 'c'], expected: 0, answer: 'appended' },
  { title: 'accepts no events at the head', stored: ['a'], sent: [], expected: 0, answer: 'appended' },
  { title: 'accepts no events for an absent stream', stored: [], sent: [], expected: -1, answer: 'appended' },
  { title: 'refuses a revision ahead of an absent stream', stored: [], sent: ['a'], expected: 0, answer: wrong },
  { title: 'refuses a revision ahead of the head', stored: ['a'], sent: ['b'], expected: 1, answer: wrong },
  { title: 'refuses no events ahead of the head', stored: ['a'], sent: [], expected: 1, answer: wrong },
  { title: 'recognizes a repeat', stored: ['a'], sent: ['a'], expected: -1, answer: 'repeated' },
  {
    title: 'recognizes a repeat of several events',
    stored: ['a', 'b'],
    sent: ['a', 'b'],
    expected: -1,
    answer: 'repeated',
  },
  {
    title: 'recognizes a repeat after later events',
    stored: ['a', 'b', 'c'],
    sent: ['a', 'b'],
    expected: -1,
    answer: 'repeated',
  },
  { title: 'recognizes a repeat in the middle', stored: ['a', 'b', 'c'], sent: ['b'], expected: 0, answer: 'repeated' },
  {
    title: 'recognizes a repeat at the end',
    stored: ['a', 'b', 'c'],
    sent: ['b', 'c'],
    expected: 0,
    answer: 'repeated',
  },
  { title: 'refuses a different first id', stored: ['a'], sent: ['b'], expected: -1, answer: wrong },
  { title: 'refuses a different second id', stored: ['a', 'b'], sent: ['a', 'c'], expected: -1, answer: wrong },
  { title: 'refuses a repeat past the end', stored: ['a'], sent: ['a', 'b'], expected: -1, answer: wrong },
  { title: 'refuses a stored id at another revision', stored: ['a', 'b'], sent: ['b'], expected: -1, answer: wrong },
  { title: 'refuses no events behind the head', stored: ['a'], sent: [], expected: -1, answer: wrong },
]

const stream = 'sample-1'

const checkRow = (row: Row): Rule => ({
  title: `${row.title}: ${JSON.stringify(row.sent)} at ${row.expected} of ${JSON.stringify(row.stored)}`,
  check: async ({ store }) => {
    // Another stream has the same ids first, since idempotency is per stream.
    await appendAt(store, 'sample-0', noEvents, ['a', 'b', 'c'])
    const heads: Head[] = [noEvents]
    for (const id of row.stored) heads.push(await appendAt(store, stream, heads.at(-1) ?? noEvents, [id]))
    const before = await readLog(store)
    const head = heads[row.expected + 1] ?? { revision: BigInt(row.expected), hash: 'f'.repeat(64) }

    const outcome = await store.append(
      stream,
      head,
      row.sent.map((id) => sampleEvent(id)),
    )()

    const after = await readLog(store)
    const { events } = await read(store, stream)
    const answered = row.expected + 1 + row.sent.length
    if (row.answer === wrong) {
      const actual = BigInt(row.stored.length - 1)
      assert.deepEqual(outcome, E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual }))
      assert.deepEqual(after, before)
      return
    }
    const written = row.answer === 'appended' ? row.sent.length : 0
    assert.equal(after.length, before.length + written)
    assert.deepEqual(after.slice(0, before.length), before)
    const last = events[answered - 1]
    const appended = right(outcome)
    assert.deepEqual(
      { ...appended, events: appended.events.map(untimed) },
      {
        head: last === undefined ? noEvents : { revision: last.revision, hash: last.metadata.hash },
        position: last?.position ?? 0n,
        events: events.slice(row.expected + 1, answered).map(untimed),
      },
    )
  },
})

export const appendRules: ReadonlyArray<Rule> = [
  ...truthTable.map(checkRow),
  {
    title: 'answers a repeat with the stored events, whatever the repeat contains',
    check: async ({ store }) => {
      const { head, position } = right(await store.append(stream, noEvents, [sampleEvent('a', { stored: 'this' })])())
      const second = await store.append(stream, noEvents, [sampleEvent('a', { stored: 'not this' })])()
      assert.deepEqual(second, E.right({ head, position, events: (await read(store, stream)).events }))
    },
  },
  {
    title: "refuses a head whose hash was never the stream's",
    check: async ({ store }) => {
      const head = await appendAt(store, stream, noEvents, ['a'])
      const before = await readLog(store)
      const foreign = { revision: head.revision, hash: 'f'.repeat(64) }
      const outcome = await store.append(stream, foreign, [sampleEvent('b')])()
      assert.deepEqual(E.mapLeft(({ _tag }: { readonly _tag: string }) => _tag)(outcome), E.left('StoreUnavailable'))
      assert.deepEqual(await readLog(store), before)
    },
  },
  {
    title: 'keeps every character of an event, however it is read',
    check: async ({ store }) => {
      const data = { z: 'é\u2028"\\\u0000😀', a: [1, -7, true, null, { '10': 'ten', '9': 'nine' }], empty: {} }
      const odd = 'é\u2028"\\\u0000\u001f\u007f😀'
      const event = { ...sampleEvent(odd, data), type: odd, schemaVersion: 7 }
      const { events } = right(await store.append(odd, noEvents, [event])())
      const [stored] = events
      assert.ok(stored !== undefined)
      const { context, ...given } = event
      const { position: _, recordedAt: __, metadata, ...named } = stored
      const { previousHash, hash, ...caller } = metadata
      assert.deepEqual(named, { ...given, stream: odd, revision: 0n })
      assert.deepEqual({ ...caller, previousHash }, { ...context, previousHash: noEvents.hash })
      assert.match(hash, /^[0-9a-f]{64}$/)
      const read = right(await store.readStream(odd)()).events
      assert.deepEqual(read.map(untimed), events.map(untimed))
      assert.deepEqual(await readLog(store), read)
    },
  },
]

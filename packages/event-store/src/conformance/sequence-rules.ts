import * as E from 'fp-ts/lib/Either.js'
import { type Head, noEvents } from '../port.ts'
import type { Rule } from './rule.ts'
import { appendAt, read, right, sampleEvent } from './sample.ts'

type Write = { readonly ids: ReadonlyArray<string>; readonly at: number }

/** The classic sequences of EventStoreDB: writes in turn, then one more, and what becomes of that. */
type Sequence = {
  readonly name: string
  readonly writes: ReadonlyArray<Write>
  readonly last: Write
  readonly answer: 'repeated' | 'appended' | 'refused'
}

const one = (id: string, at: number): Write => ({ ids: [id], at })
const six = ['0', '1', '2', '3', '4', '5'].map((id, index) => one(id, index - 1))
const two = [{ ids: ['0', '1'], at: -1 }]

const sequences: ReadonlyArray<Sequence> = [
  { name: 'six events, then the first again at its revision', writes: six, last: one('0', -1), answer: 'repeated' },
  { name: 'six events, then the first again at the head', writes: six, last: one('0', 5), answer: 'appended' },
  { name: 'six events, then the first again past the head', writes: six, last: one('0', 6), answer: 'refused' },
  { name: 'six events, then the first again before the head', writes: six, last: one('0', 4), answer: 'refused' },
  { name: 'six events, then the first again further back', writes: six, last: one('0', 0), answer: 'refused' },
  { name: 'one event, then again at the head', writes: [one('0', -1)], last: one('0', 0), answer: 'appended' },
  { name: 'one event, then again at its revision', writes: [one('0', -1)], last: one('0', -1), answer: 'repeated' },
  { name: 'two in one write, then the first again', writes: two, last: one('0', -1), answer: 'repeated' },
  { name: 'two in one write, then the second again', writes: two, last: one('1', 0), answer: 'repeated' },
  { name: 'two in one write, then both again', writes: two, last: { ids: ['0', '1'], at: -1 }, answer: 'repeated' },
  {
    name: 'two in one write, then both again and a third: a partial overlap',
    writes: two,
    last: { ids: ['0', '1', '2'], at: -1 },
    answer: 'refused',
  },
]

/** Those of the classic sequences that the port has no words for. */
export const sequencesWithAny: ReadonlyArray<string> = [
  'six events of which the last is written twice, then the first again at any revision',
  'one event, then again at any revision',
  'three events, then the second twice at any revision',
  'two in one write, then the first again at any revision',
  'two in one write, then the second again at any revision',
]

const stream = 'sequence-1'

export const sequenceRules: ReadonlyArray<Rule> = sequences.map(({ name, writes, last: again, answer }) => ({
  title: `${name}: ${answer}`,
  check: async ({ store }) => {
    const heads = new Map<number, Head>([[-1, noEvents]])
    for (const { ids, at } of writes) {
      await appendAt(store, stream, heads.get(at) ?? noEvents, ids)
      for (const { revision, metadata } of (await read(store, stream)).events) {
        heads.set(Number(revision), { revision, hash: metadata.hash })
      }
    }
    const before = await read(store, stream)
    const head = heads.get(again.at) ?? { revision: BigInt(again.at), hash: 'f'.repeat(64) }
    const outcome = await store.append(
      stream,
      head,
      again.ids.map((id) => sampleEvent(id)),
    )()
    const after = await read(store, stream)
    if (answer === 'refused') {
      const actual = before.head.revision
      expect(outcome).toEqual(E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual }))
      expect(after).toEqual(before)
      return
    }
    const end = again.at + again.ids.length
    const last = after.events[end]
    expect(right(outcome).head).toEqual({ revision: BigInt(end), hash: last?.metadata.hash })
    expect(after.events.length).toBe(before.events.length + (answer === 'appended' ? again.ids.length : 0))
    expect(after.events.slice(0, before.events.length)).toEqual(before.events)
  },
}))

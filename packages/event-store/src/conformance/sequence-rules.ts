import assert from 'node:assert/strict'
import { right } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type EventStore, type Head, noEvents } from '../port.ts'
import type { StoreUnderTest } from './adapter.ts'
import type { Rule } from './rule.ts'
import { appendAt, read, sampleEvent } from './sample.ts'

type Write = { readonly ids: ReadonlyArray<string>; readonly at: number }

/** EventStoreDB's classic sequences: several writes, one more, and its outcome. */
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

/**
 * The classic sequences with an open revision ("any"), at every revision: the outcome of the same events at -1, 0, … up
 * to one past the head. At one revision they are a repeat, at the head they are new.
 */
type Sweep = {
  readonly name: string
  readonly writes: ReadonlyArray<Write>
  readonly again: ReadonlyArray<string>
  readonly answers: ReadonlyArray<Sequence['answer']>
}

const sweeps: ReadonlyArray<Sweep> = [
  {
    name: 'six events of which the last repeats an id, then the first again',
    writes: [...six.slice(0, 5), one('4', 4)],
    again: ['0'],
    answers: ['repeated', 'refused', 'refused', 'refused', 'refused', 'refused', 'appended', 'refused'],
  },
  { name: 'one event, then again', writes: [one('0', -1)], again: ['0'], answers: ['repeated', 'appended', 'refused'] },
  {
    name: 'three events, then the second again',
    writes: six.slice(0, 3),
    again: ['1'],
    answers: ['refused', 'repeated', 'refused', 'appended', 'refused'],
  },
  {
    name: 'two in one write, then the first again',
    writes: two,
    again: ['0'],
    answers: ['repeated', 'refused', 'appended', 'refused'],
  },
  {
    name: 'two in one write, then the second again',
    writes: two,
    again: ['1'],
    answers: ['refused', 'repeated', 'appended', 'refused'],
  },
]

/** Performs the writes; answers the stream's heads by revision. */
const write = async (store: EventStore, stream: string, writes: ReadonlyArray<Write>) => {
  const heads = new Map<number, Head>([[-1, noEvents]])
  for (const { ids, at } of writes) {
    await appendAt(store, stream, heads.get(at) ?? noEvents, ids)
    for (const { revision, metadata } of (await read(store, stream)).events) {
      heads.set(Number(revision), { revision, hash: metadata.hash })
    }
  }
  return heads
}

const checkAnswer = async (
  store: EventStore,
  stream: string,
  heads: ReadonlyMap<number, Head>,
  { last: { ids, at }, answer }: Pick<Sequence, 'last' | 'answer'>,
): Promise<void> => {
  const before = await read(store, stream)
  const head = heads.get(at) ?? { revision: BigInt(at), hash: 'f'.repeat(64) }
  const outcome = await store.append(
    stream,
    head,
    ids.map((id) => sampleEvent(id)),
  )()
  const after = await read(store, stream)
  if (answer === 'refused') {
    const actual = before.head.revision
    assert.deepEqual(outcome, E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual }))
    assert.deepEqual(after, before)
    return
  }
  const end = at + ids.length
  assert.deepEqual(right(outcome).head, { revision: BigInt(end), hash: after.events[end]?.metadata.hash })
  assert.equal(after.events.length, before.events.length + (answer === 'appended' ? ids.length : 0))
  assert.deepEqual(after.events.slice(0, before.events.length), before.events)
}

export const sequenceRules: ReadonlyArray<Rule> = [
  ...sequences.map(({ name, writes, last, answer }) => ({
    title: `${name}: ${answer}`,
    check: async ({ store }: StoreUnderTest) => {
      const heads = await write(store, 'sequence-1', writes)
      await checkAnswer(store, 'sequence-1', heads, { last, answer })
    },
  })),
  ...sweeps.map(({ name, writes, again, answers }) => ({
    title: `${name}, at every revision and twice: from -1 on ${answers.join(', ')}`,
    check: async ({ store }: StoreUnderTest) => {
      for (const [index, answer] of answers.entries()) {
        const stream = `sequence-${index}`
        const heads = await write(store, stream, writes)
        const last = { ids: again, at: index - 1 }
        await checkAnswer(store, stream, heads, { last, answer })
        // The second time, written events are a repeat; all else stays the same.
        await checkAnswer(store, stream, heads, { last, answer: answer === 'appended' ? 'repeated' : answer })
      }
    },
  })),
]

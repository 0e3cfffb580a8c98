import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { RecordedEvent } from '@quittance/domain'
import { noEvents } from '../port.ts'
import { alterableFields, type EventName, type LogHead, type StoreUnderTest, type Tampering } from './adapter.ts'
import { capable, type Rule } from './rule.ts'
import { appendAt, readLog } from './sample.ts'

/** Writes two alternating streams: positions 1 to 8, revisions 0 to 3. */
const write = async ({ store }: StoreUnderTest): Promise<ReadonlyArray<RecordedEvent>> => {
  let heads = { one: noEvents, two: noEvents }
  for (let turn = 0; turn < 4; turn += 1) {
    heads = {
      one: await appendAt(store, 'sample-1', heads.one, [`1-${turn}`]),
      two: await appendAt(store, 'sample-2', heads.two, [`2-${turn}`]),
    }
  }
  return readLog(store)
}

const problems = (
  { findProblems }: StoreUnderTest,
  heads: ReadonlyArray<LogHead> = [],
): Promise<ReadonlyArray<EventName>> => capable(findProblems)(heads)

const nameOf = (event: RecordedEvent | undefined): EventName => ({
  stream: event?.stream ?? null,
  revision: event?.revision ?? null,
})

const named = (
  title: string,
  change: Tampering,
  expected: (log: ReadonlyArray<RecordedEvent>) => EventName[],
): Rule => ({
  title,
  needs: 'tamper',
  check: async (subject) => {
    const log = await write(subject)
    assert.deepEqual(await problems(subject), [])
    await capable(subject.tamper)(change)
    const found = await problems(subject)
    for (const event of expected(log))
      assert.ok(
        found.some((problem) => isDeepStrictEqual(problem, event)),
        `${JSON.stringify(event.stream)} at ${event.revision} is not among the problems`,
      )
  },
})

/** A changed name is reported as a false event and a missing one. */
const isName = (field: string): boolean => field === 'stream' || field === 'revision'

export const tamperRules: ReadonlyArray<Rule> = [
  ...alterableFields
    .filter((field) => !isName(field))
    .map((field) =>
      named(`names the event whose ${field} has a flipped byte`, { _tag: 'flipByte', field, position: 3n }, (log) => [
        nameOf(log[2]),
      ]),
    ),
  ...alterableFields
    .filter(isName)
    .map((field) =>
      named(
        `names the event that is missing since its ${field} has a flipped byte`,
        { _tag: 'flipByte', field, position: 3n },
        (log) => [nameOf(log[2])],
      ),
    ),
  named('names a dropped event', { _tag: 'dropEvent', position: 3n }, (log) => [nameOf(log[2])]),
  named('names two events of one stream that were swapped', { _tag: 'swapEvents', position: 3n, other: 5n }, (log) => [
    nameOf(log[2]),
    nameOf(log[4]),
  ]),
  named(
    'names two events of different streams that were swapped',
    { _tag: 'swapEvents', position: 3n, other: 6n },
    (log) => [nameOf(log[2]), nameOf(log[5])],
  ),
  {
    title: 'finds a cut tail only against a head recorded outside the store',
    needs: 'tamper',
    check: async (subject) => {
      await write(subject)
      const head = await capable(subject.logHead)()
      assert.deepEqual(await problems(subject, [head]), [])
      await capable(subject.tamper)({ _tag: 'cutTail', after: 5n })
      assert.deepEqual(await problems(subject), [])
      assert.deepEqual(await problems(subject, [head]), [{ stream: null, revision: null }])
    },
  },
  {
    title: 'finds a log rewritten from some event on, against a recorded head',
    needs: 'tamper',
    check: async (subject) => {
      const log = await write(subject)
      const head = await capable(subject.logHead)()
      await capable(subject.tamper)({ _tag: 'cutTail', after: 7n })
      const last = log.findLast(({ stream, position }) => stream === 'sample-2' && position <= 7n)
      const behind = last === undefined ? noEvents : { revision: last.revision, hash: last.metadata.hash }
      await appendAt(subject.store, 'sample-2', behind, ['forged'])
      assert.deepEqual(await problems(subject), [])
      assert.deepEqual(await problems(subject, [head]), [{ stream: null, revision: null }])
    },
  },
]

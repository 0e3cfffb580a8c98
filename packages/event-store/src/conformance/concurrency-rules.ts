import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { noEvents } from '../port.ts'
import { capable, type Rule } from './rule.ts'
import { appendSomewhere, expectOneGaplessOrder, inLanes, read, readLog, sampleEvent, untimed } from './sample.ts'

/** One writer's attempt: a stream, and the distance from its head (0 at it). */
const attempts = fc.array(
  fc.record({
    stream: fc.integer({ min: 0, max: 2 }),
    aim: fc.integer({ min: -2, max: 1 }),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 40 },
)

export const concurrencyRules: ReadonlyArray<Rule> = [
  {
    title: 'gives concurrent writers one gapless order, which holds all acknowledged events',
    check: async ({ store }) => {
      let round = 0
      await fc.assert(
        fc.asyncProperty(attempts, async (all) => {
          round += 1
          const prefix = `round-${round}`
          const outcomes = await Promise.all(
            all.map(async ({ stream, aim, count }, writer) => {
              const name = `${prefix}-${stream}`
              const { events, head } = await read(store, name)
              const aimed = events.at(Number(head.revision) + aim)
              const expected =
                aim === 0 || aimed === undefined ? head : { revision: aimed.revision, hash: aimed.metadata.hash }
              const sent = Array.from({ length: count }, (_, n) => sampleEvent(`${prefix}-${writer}-${n}`))
              return store.append(name, expected, sent)()
            }),
          )
          const log = await readLog(store)
          expectOneGaplessOrder(log)
          const answered = outcomes.flatMap((outcome) => (outcome._tag === 'Right' ? outcome.right.events : []))
          const stored = log.filter(({ stream }) => stream.startsWith(`${prefix}-`))
          const inOrder = answered.toSorted((a, b) => (a.position < b.position ? -1 : 1))
          expect(stored.map(untimed)).toEqual(inOrder.map(untimed))
        }),
        { numRuns: 25 },
      )
    },
  },
  {
    title: 'only grows at its end, so that each read extends the previous one',
    check: async ({ store }) => {
      let isWriting = true
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; n < 15; n += 1) await appendSomewhere(store, `grown-${writer % 3}`, `${writer}-${n}`)
      }
      const writing = Promise.all([0, 1, 2, 3, 4, 5].map(write)).finally(() => {
        isWriting = false
      })
      let before = await readLog(store)
      while (isWriting) {
        const now = await readLog(store)
        expect(now.slice(0, before.length)).toEqual(before)
        before = now
        // Yields, so that a store that answers at once leaves the writers a turn.
        await nextTurn()
      }
      await writing
      expectOneGaplessOrder(await readLog(store))
    },
  },
  {
    title: 'accepts exactly one of many writers at the same head',
    check: async ({ store }) => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, writer) => store.append('sample-1', noEvents, [sampleEvent(`${writer}`)])()),
      )
      const losing = { _tag: 'Left', left: { _tag: 'WrongExpectedRevision', expected: -1n, actual: 0n } }
      expect(outcomes.filter(({ _tag }) => _tag === 'Right').length).toBe(1)
      expect(outcomes.filter(({ _tag }) => _tag === 'Left')).toEqual(Array.from({ length: 19 }, () => losing))
    },
  },
  {
    title: 'gives two handles on one log one gapless order',
    needs: 'another',
    check: async ({ store, another }) => {
      const other = capable(another)()
      const write = (handle: typeof store, name: string) =>
        inLanes(60, (n) => appendSomewhere(handle, `shared-${n % 4}`, `${name}-${n}`))
      await Promise.all([write(store, 'one'), write(other, 'two')])
      const log = await readLog(store)
      expectOneGaplessOrder(log)
      expect(new Set(log.map(({ id }) => id)).size).toBe(120)
      expect(await readLog(other)).toEqual(log)
    },
  },
]

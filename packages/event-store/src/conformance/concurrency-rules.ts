import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { noEvents } from '../port.ts'
import { capable, type Rule } from './rule.ts'
import { appendSomewhere, expectOneGaplessOrder, inLanes, read, readLog, sampleEvent, untimed } from './sample.ts'

/** One writer's attempt: a stream, how many events, and the distance from its head (0 at it). */
type Attempt = { readonly stream: number; readonly aim: number; readonly count: number }

const rounds = 25
const mostWriters = 40

/** Writers of which some aim at the same head, some behind and some past it; each round mixes them in another way. */
const attemptsOf = (round: number): ReadonlyArray<Attempt> => {
  const mixed = (salt: number, most: number): number =>
    createHash('sha256').update(`${round} ${salt}`).digest().readUInt16BE() % most
  return Array.from({ length: 1 + mixed(0, mostWriters) }, (_, writer) => ({
    stream: mixed(3 * writer + 1, 3),
    aim: mixed(3 * writer + 2, 4) - 2,
    count: mixed(3 * writer + 3, 3) + 1,
  }))
}

export const concurrencyRules: ReadonlyArray<Rule> = [
  {
    title: 'gives concurrent writers one gapless order, which holds all acknowledged events',
    check: async ({ store }) => {
      for (let round = 1; round <= rounds; round += 1) {
        const prefix = `round-${round}`
        const outcomes = await Promise.all(
          attemptsOf(round).map(async ({ stream, aim, count }, writer) => {
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
        assert.deepEqual(stored.map(untimed), inOrder.map(untimed))
      }
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
        assert.deepEqual(now.slice(0, before.length), before)
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
      assert.equal(outcomes.filter(({ _tag }) => _tag === 'Right').length, 1)
      assert.deepEqual(
        outcomes.filter(({ _tag }) => _tag === 'Left'),
        Array.from({ length: 19 }, () => losing),
      )
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
      assert.equal(new Set(log.map(({ id }) => id)).size, 120)
      assert.deepEqual(await readLog(other), log)
    },
  },
]

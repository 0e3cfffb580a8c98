import assert from 'node:assert/strict'
import { right } from '@quittance/domain/testing'
import { noEvents } from '../port.ts'
import { capable, type Rule } from './rule.ts'
import { appendAt, expectOneGaplessOrder, read, readLog, sampleEvent } from './sample.ts'

const stream = 'sample-1'

export const failureRules: ReadonlyArray<Rule> = [
  {
    title: 'rejects values without exact JSON form before writing, and continues with other appends',
    check: async ({ store }) => {
      const inexact: ReadonlyArray<Record<string, never>> = [
        { half: 0.5 },
        { none: undefined },
        { lone: '\ud800' },
      ].map((data) => Object.assign(Object.create(null), data))
      const outcomes = await Promise.allSettled([
        store.append('good-1', noEvents, [sampleEvent('a')])(),
        ...inexact.map((data) => store.append(stream, noEvents, [sampleEvent('bad', data)])()),
        store.append('good-2', noEvents, [sampleEvent('b')])(),
      ])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
      )
      // Concurrent appends to two streams may be recorded in either order.
      const recorded = (await readLog(store)).map(({ stream: name, id }) => `${name} ${id}`)
      assert.deepEqual(recorded.toSorted(), ['good-1 a', 'good-2 b'])
    },
  },
  {
    title: 'reports a full disk, keeps acknowledged events, and writes again once there is room',
    needs: 'fillDisk',
    check: async ({ store, fillDisk }) => {
      let head = await appendAt(store, stream, noEvents, ['first'])
      const makeRoom = await capable(fillDisk)()
      const large = { text: 'x'.repeat(50_000) }
      let acknowledged = 1
      for (;;) {
        const outcome = await store.append(stream, head, [sampleEvent(`large ${acknowledged}`, large)])()
        if (outcome._tag === 'Left') {
          assert.equal(outcome.left._tag, 'StoreUnavailable')
          break
        }
        head = outcome.right.head
        acknowledged += 1
        assert.ok(acknowledged < 1_000, 'the disk is never full')
      }
      assert.equal((await read(store, stream)).events.length, acknowledged)
      await makeRoom()
      right(await store.append(stream, head, [sampleEvent('after', large)])())
      const log = await readLog(store)
      expectOneGaplessOrder(log)
      assert.equal(log.length, acknowledged + 1)
    },
  },
  {
    title: 'discards a whole group of appends if its last ones do not fit on the disk',
    needs: 'fillDisk',
    check: async ({ store, fillDisk }) => {
      const makeRoom = await capable(fillDisk)()
      const large = { text: 'x'.repeat(50_000) }
      const group = () =>
        Promise.all(
          Array.from({ length: 20 }, (_, n) => store.append(`s-${n}`, noEvents, [sampleEvent(`${n}`, large)])()),
        )
      const refused = await group()
      assert.deepEqual(
        refused.map((outcome) => (outcome._tag === 'Left' ? outcome.left._tag : 'written')),
        Array.from({ length: 20 }, () => 'StoreUnavailable'),
      )
      assert.deepEqual(await readLog(store), [])
      await makeRoom()
      for (const outcome of await group()) right(outcome)
      expectOneGaplessOrder(await readLog(store))
    },
  },
  {
    title: 'writes nothing for a process killed before the commit; a repeat takes effect once',
    needs: 'killedAppend',
    check: async ({ store, killedAppend }) => {
      await capable(killedAppend)('before commit', stream, 'a')
      assert.deepEqual(await readLog(store), [])
      await appendAt(store, stream, noEvents, ['a'])
      assert.deepEqual(
        (await readLog(store)).map(({ id }) => id),
        ['a'],
      )
    },
  },
  {
    title: 'keeps the event of a process killed before its reply; a repeat has no further effect',
    needs: 'killedAppend',
    check: async ({ store, killedAppend }) => {
      await capable(killedAppend)('before reply', stream, 'a')
      const head = await appendAt(store, stream, noEvents, ['a'])
      assert.deepEqual((await read(store, stream)).head, head)
      assert.deepEqual(
        (await readLog(store)).map(({ id }) => id),
        ['a'],
      )
    },
  },
]

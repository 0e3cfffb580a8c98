import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
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
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ])
      expect((await readLog(store)).map(({ id }) => id)).toEqual(['a', 'b'])
    },
  },
  {
    title: 'reports a full disk, keeps acknowledged events, and writes again once there is room',
    needs: 'fillDisk',
    check: async ({ store, fillDisk }) => {
      let head = await appendAt(store, stream, noEvents, ['first'])
      const makeRoom = capable(fillDisk)()
      const large = { text: 'x'.repeat(50_000) }
      let acknowledged = 1
      for (;;) {
        const outcome = await store.append(stream, head, [sampleEvent(`large ${acknowledged}`, large)])()
        if (outcome._tag === 'Left') {
          expect(outcome.left._tag).toBe('StoreUnavailable')
          break
        }
        head = outcome.right.head
        acknowledged += 1
        expect(acknowledged).toBeLessThan(1_000)
      }
      expect((await read(store, stream)).events.length).toBe(acknowledged)
      makeRoom()
      right(await store.append(stream, head, [sampleEvent('after', large)])())
      const log = await readLog(store)
      expectOneGaplessOrder(log)
      expect(log.length).toBe(acknowledged + 1)
    },
  },
  {
    title: 'discards a whole group of appends if its last ones do not fit on the disk',
    needs: 'fillDisk',
    check: async ({ store, fillDisk }) => {
      const makeRoom = capable(fillDisk)()
      const large = { text: 'x'.repeat(50_000) }
      const group = () =>
        Promise.all(
          Array.from({ length: 20 }, (_, n) => store.append(`s-${n}`, noEvents, [sampleEvent(`${n}`, large)])()),
        )
      expect(await group()).toEqual(
        Array.from({ length: 20 }, () => E.left({ _tag: 'StoreUnavailable', cause: expect.anything() })),
      )
      expect(await readLog(store)).toEqual([])
      makeRoom()
      expect(await group()).toEqual(Array.from({ length: 20 }, () => E.right(expect.anything())))
      expectOneGaplessOrder(await readLog(store))
    },
  },
  {
    title: 'writes nothing for a process killed before the commit; a repeat takes effect once',
    needs: 'killedAppend',
    check: async ({ store, killedAppend }) => {
      await capable(killedAppend)('before commit', stream, 'a')
      expect(await readLog(store)).toEqual([])
      await appendAt(store, stream, noEvents, ['a'])
      expect((await readLog(store)).map(({ id }) => id)).toEqual(['a'])
    },
  },
  {
    title: 'keeps the event of a process killed before its reply; a repeat has no further effect',
    needs: 'killedAppend',
    check: async ({ store, killedAppend }) => {
      await capable(killedAppend)('before reply', stream, 'a')
      const head = await appendAt(store, stream, noEvents, ['a'])
      expect(await read(store, stream)).toMatchObject({ head, events: [{ id: 'a' }] })
      expect((await readLog(store)).map(({ id }) => id)).toEqual(['a'])
    },
  },
]

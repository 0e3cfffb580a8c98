import { type Alongside, changesOf, noEvents, rowsOf } from '@quittance/event-store'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { RoleLost, whileHolding } from '../../kernel/fence.ts'
import { present } from '../../testing/outcomes.ts'
import { type HeldRole, type Roles, roles } from '../roles.ts'
import {
  eventIdsIn,
  noteEvent,
  notesIn,
  type OpenDatabase,
  pass,
  prepareDatabase,
  roleProcess,
  writeNote,
} from './role-processes.ts'

const name = 'worker/testnet'
const leaseMs = 6_000

/** The rules of roles. `open` opens a database of its own for each test, once for each process. */
export const describeRoles = (
  database: string,
  open: (processes: number) => Promise<ReadonlyArray<OpenDatabase>>,
  runs: number,
): void =>
  describe(`roles on ${database}`, () => {
    let opened: ReadonlyArray<OpenDatabase> = []
    const processes = async (count: number) => {
      opened = await open(count)
      await prepareDatabase(present(opened[0]))
      return opened.map((each, n) => {
        const process = roleProcess(each)
        return { ...process, own: roles(process.plain, `process ${n}`, leaseMs) }
      })
    }
    const two = async () => {
      const [one, other] = await processes(2)
      return { one: present(one), other: present(other) }
    }
    const closeAll = async (): Promise<void> => {
      for (const { close } of opened) await close()
      opened = []
    }
    afterEach(closeAll)
    const refusal = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'done',
        (cause: unknown) => (cause instanceof RoleLost ? cause.role : cause),
      )
    const within = <A>({ fence }: Roles, role: HeldRole, work: () => Promise<A>): Promise<A> =>
      whileHolding(fence(role), work)

    it('one of those that ask at once has a role', async () => {
      const asked = await Promise.all((await processes(4)).map(({ own }) => own.take(name)))
      expect(asked.filter((role) => role !== null)).toEqual([{ name, epoch: 1 }])
    })

    it('one of those that ask at once takes over a role that has ended', async () => {
      const all = await processes(4)
      await present(all[0]).own.take(name)
      await pass(present(all[0]).sql, leaseMs)
      const asked = await Promise.all(all.slice(1).map(({ own }) => own.take(name)))
      expect(asked.filter((role) => role !== null)).toEqual([{ name, epoch: 2 }])
    })

    it('a process has several roles, each for itself', async () => {
      const { one, other } = await two()
      expect(await one.own.take(name)).toEqual({ name, epoch: 1 })
      expect(await other.own.take('worker/mainnet')).toEqual({ name: 'worker/mainnet', epoch: 1 })
    })

    it('a role is taken over at its end, and not a millisecond earlier', async () => {
      const { one, other } = await two()
      await one.own.take(name)
      await pass(one.sql, leaseMs - 1)
      expect(await other.own.take(name)).toBeNull()
      await pass(one.sql, 1)
      expect(await other.own.take(name)).toEqual({ name, epoch: 2 })
      expect(await one.own.take(name)).toBeNull()
    })

    it('taking a role again renews it once less than two thirds of its time is left', async () => {
      const { one, other } = await two()
      const takenOver = async () => {
        await pass(one.sql, leaseMs - 2_000)
        return (await other.own.take(name)) !== null
      }
      await one.own.take(name)
      await pass(one.sql, 2_000)
      expect(await one.own.take(name)).toEqual({ name, epoch: 1 })
      expect(await takenOver()).toBe(true)
      await pass(one.sql, leaseMs)
      await one.own.take(name)
      await pass(one.sql, 2_001)
      expect(await one.own.take(name)).toEqual({ name, epoch: 3 })
      expect(await takenOver()).toBe(false)
    })

    it('a renewed role stays, and one that changed hands is not renewed', async () => {
      const { one, other } = await two()
      const role = present(await one.own.take(name))
      await pass(one.sql, leaseMs - 1)
      expect(await one.own.renew(role)).toBe(true)
      await pass(one.sql, leaseMs - 1)
      expect(await other.own.take(name)).toBeNull()
      await pass(one.sql, 1)
      await other.own.take(name)
      expect(await one.own.renew(role)).toBe(false)
      await one.own.release(role)
      expect(await one.own.take(name)).toBeNull()
    })

    it('a released role is free at once, and its holder writes nothing more', async () => {
      const { one, other } = await two()
      const role = present(await one.own.take(name))
      await one.own.release(role)
      expect(await refusal(within(one.own, role, () => one.sql.run(writeNote('a', name))))).toBe(name)
      expect(await other.own.take(name)).toEqual({ name, epoch: 2 })
    })

    it('after the end of its time a process writes nothing, until it takes the role again, which keeps its epoch', async () => {
      const { one } = await two()
      const role = present(await one.own.take(name))
      const write = (note: string) => refusal(within(one.own, role, () => one.sql.run(writeNote(note, name))))
      await pass(one.sql, leaseMs - 1)
      expect(await write('a')).toBe('done')
      await pass(one.sql, 1)
      expect(await write('b')).toBe(name)
      expect(await one.own.take(name)).toEqual(role)
      expect(await write('c')).toBe('done')
      expect(await notesIn(one.sql)).toEqual(['a', 'c'].map((note) => ({ note, epoch: 1 })))
    })

    it('a process that has lost its role appends nothing and writes nothing, but reads', async () => {
      const { one, other } = await two()
      const role = present(await one.own.take(name))
      await pass(one.sql, leaseMs)
      await other.own.take(name)
      await within(one.own, role, async () => {
        expect(await one.store.append('note-1', noEvents, [noteEvent('a')])()).toEqual(
          E.left({ _tag: 'AppendRefused', cause: expect.any(RoleLost) }),
        )
        expect(await refusal(one.sql.run(writeNote('a', name)))).toBe(name)
        const lone = changesOf("INSERT INTO written (note, epoch) VALUES ('b', 0)")
        expect(await refusal(one.sql.run(lone))).toBe(name)
        expect(await refusal(one.sql.run(lone, { durability: 'soon' }))).toBe(name)
        expect(await one.sql.run(rowsOf('SELECT epoch FROM worker_roles'))).toEqual([{ epoch: 2 }])
      })
      expect([await eventIdsIn(one.store), await notesIn(one.sql)]).toEqual([[], []])
      expect(E.isRight(await one.store.append('note-1', noEvents, [noteEvent('c')])())).toBe(true)
    })

    it('what goes alongside an append is written with it, and not without the role', async () => {
      const { one, other } = await two()
      const role = present(await one.own.take(name))
      const append = (id: string, alongside: Alongside) =>
        within(one.own, role, () => one.store.append(`note-${id}`, noEvents, [noteEvent(id)], alongside)())
      expect(E.isRight(await append('a', writeNote('a', name)))).toBe(true)
      await pass(one.sql, leaseMs)
      await other.own.take(name)
      expect(E.isLeft(await append('b', writeNote('b', name)))).toBe(true)
      expect(await eventIdsIn(one.store)).toEqual(['a'])
      expect(await notesIn(one.sql)).toEqual([{ note: 'a', epoch: 1 }])
    })

    type Deed =
      | { readonly _tag: 'Take' | 'Renew' | 'Release' | 'Append' | 'Write'; readonly by: number }
      | { readonly _tag: 'Pass'; readonly ms: number }
    const by = fc.nat({ max: 2 })
    const deed: fc.Arbitrary<Deed> = fc.oneof(
      { weight: 3, arbitrary: fc.record({ _tag: fc.constant('Take' as const), by }) },
      { weight: 4, arbitrary: fc.record({ _tag: fc.constantFrom('Append' as const, 'Write' as const), by }) },
      { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom('Renew' as const, 'Release' as const), by }) },
      {
        weight: 2,
        arbitrary: fc.record({ _tag: fc.constant('Pass' as const), ms: fc.constantFrom(1, 2_001, leaseMs) }),
      },
    )
    /** Each list of deeds happens at once. */
    const history = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { maxLength: 20 })

    it('whatever processes do at once, only the epoch that stands writes, and each epoch has one holder', async () => {
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          await closeAll()
          const all = await processes(3)
          const held: Array<HeldRole | null> = all.map(() => null)
          const holders = new Map<number, number>()
          const entered: Array<string> = []
          let count = 0
          /** A process works with the role that it had when it began. */
          const work = async (n: number, write: (id: string) => Promise<boolean>): Promise<void> => {
            const role = held[n] ?? null
            count += 1
            const id = `${count} by ${role?.epoch}`
            if (role !== null && (await within(present(all[n]).own, role, () => write(id)))) entered.push(id)
          }
          const act = async (each: Deed): Promise<void> => {
            if (each._tag === 'Pass') return pass(present(all[0]).sql, each.ms)
            const { sql, store, own } = present(all[each.by])
            const role = held[each.by] ?? null
            switch (each._tag) {
              case 'Take': {
                const taken = await own.take(name)
                if (taken === null) return
                held[each.by] = taken
                expect(holders.get(taken.epoch) ?? each.by).toBe(each.by)
                holders.set(taken.epoch, each.by)
                return
              }
              case 'Renew':
                if (role !== null) await own.renew(role)
                return
              case 'Release':
                if (role !== null) await own.release(role)
                return
              case 'Append':
                return work(each.by, async (id) => {
                  const done = await store.append(`note-${id}`, noEvents, [noteEvent(id)], writeNote(id, name))()
                  if (E.isLeft(done))
                    expect(done.left).toMatchObject({ _tag: 'AppendRefused', cause: expect.any(RoleLost) })
                  return E.isRight(done)
                })
              case 'Write':
                return work(each.by, async (id) => {
                  const done = await refusal(sql.run(writeNote(id, name)))
                  expect(['done', name]).toContain(done)
                  return done === 'done'
                })
            }
          }
          for (const round of rounds) await Promise.all(round.map(act))
          const notes = await notesIn(present(all[0]).sql)
          expect(notes.filter(({ note, epoch }) => !note.endsWith(`by ${epoch}`))).toEqual([])
          expect(notes.map(({ note }) => note).sort()).toEqual([...entered].sort())
          const epochs = (await eventIdsIn(present(all[0]).store)).map((id) => Number(id.split(' by ')[1]))
          expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
        }),
        { numRuns: runs },
      )
    })
  })

import { unixMs } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createFollower } from './follower.ts'
import type { Cursor, FollowedLedger, FollowerOptions, Halted } from './following.ts'
import type { ClosedLedger } from './gateway.ts'
import { alice, creditIn, hashOf, headOf, ledger, ledgersInMemory, sequence } from './testing/ledgers.ts'

type Failure = { readonly _tag: 'StoreDown' }
const storeDown: Failure = { _tag: 'StoreDown' }

const ledgers = (from: number, to: number): Array<ClosedLedger> =>
  Array.from({ length: to - from + 1 }, (_, index) => ledger(from + index))

const cursorAt = (number: number): Cursor => ({ ...headOf(number), hash: hashOf(number) })

/** A follower over ledgers in memory, with what it saved, handled and raised. */
const following = (
  closed: Array<ClosedLedger>,
  changed: Partial<FollowerOptions<Failure>> & { readonly oldest?: number } = {},
) => {
  const network = ledgersInMemory(closed, changed.oldest)
  const state: { cursor: Cursor | null } = { cursor: null }
  const handled: Array<FollowedLedger> = []
  const alarms: Array<Halted> = []
  const options: FollowerOptions<Failure> = {
    gateway: network.gateway,
    cursor: {
      load: () => TE.right(state.cursor),
      save: (cursor) => {
        state.cursor = cursor
        return TE.right(undefined)
      },
    },
    watched: TE.right(new Set([alice])),
    onLedger: (followed) => {
      handled.push(followed)
      return TE.right(undefined)
    },
    alarm: (halted) => alarms.push(halted),
    batchSize: 3,
    firstLedger: sequence(1),
    ...changed,
  }
  return { ...network, state, handled, alarms, options, follower: createFollower(options) }
}

const sequences = (handled: ReadonlyArray<FollowedLedger>): ReadonlyArray<number> =>
  handled.map((each) => each.sequence)

describe('following the ledgers', () => {
  it('walks all closed ledgers in order, batch after batch, and keeps the last as its cursor', async () => {
    const { follower, handled, state, reads } = following(ledgers(1, 7))
    expect(await follower.step()).toEqual(E.right({ handled: cursorAt(7), latest: expect.objectContaining(headOf(7)) }))
    expect(handled).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((each) => ({ ...headOf(each), hash: hashOf(each), credits: [creditIn(each)] })),
    )
    expect(state.cursor).toEqual(cursorAt(7))
    expect(reads).toEqual([1, 4, 7])
  })
  it('begins with the newest ledger where told so', async () => {
    const { follower, handled } = following(ledgers(1, 7), { firstLedger: 'latest' })
    await follower.step()
    expect(sequences(handled)).toEqual([7])
  })
  it('does nothing until the first ledger has closed', async () => {
    const { follower, state } = following(ledgers(1, 2), { firstLedger: sequence(5) })
    expect(await follower.step()).toEqual(E.right({ handled: null, latest: expect.objectContaining(headOf(2)) }))
    expect(state.cursor).toBeNull()
  })
  it('does nothing when nothing has closed since', async () => {
    const { follower, handled, state } = following(ledgers(1, 2))
    state.cursor = cursorAt(2)
    expect(await follower.step()).toEqual(E.right({ handled: cursorAt(2), latest: expect.objectContaining(headOf(2)) }))
    expect(handled).toEqual([])
  })
  it('asks for the watched accounts anew with every ledger', async () => {
    const watched = new Set<typeof alice>()
    const handled: Array<FollowedLedger> = []
    const { follower } = following(ledgers(1, 3), {
      watched: TE.right(watched),
      onLedger: (followed) => {
        handled.push(followed)
        watched.add(alice)
        return TE.right(undefined)
      },
    })
    await follower.step()
    expect(handled.map(({ credits }) => credits.length)).toEqual([0, 1, 1])
  })
  it('ends at the ledger that was the newest when it began, though ledgers go on closing', async () => {
    const closed = ledgers(1, 4)
    const { follower, state } = following(closed, {
      onLedger: () => {
        closed.push(ledger(closed.length + 1))
        return TE.right(undefined)
      },
    })
    await follower.step()
    expect(state.cursor?.sequence).toBe(6)
  })
})

describe('a ledger that cannot be handled', () => {
  it('is handed over again by the next step, those before it are not', async () => {
    const handled: Array<number> = []
    const broken = { is: true }
    const { follower, state } = following(ledgers(1, 5), {
      onLedger: (followed) => {
        handled.push(followed.sequence)
        return followed.sequence === 3 && broken.is ? TE.left(storeDown) : TE.right(undefined)
      },
    })
    expect(await follower.step()).toEqual(E.left(storeDown))
    expect(state.cursor).toEqual(cursorAt(2))
    broken.is = false
    await follower.step()
    expect(handled).toEqual([1, 2, 3, 3, 4, 5])
    expect(state.cursor).toEqual(cursorAt(5))
  })
  it('is handed over again after a crash in the middle of it, with nothing left out', async () => {
    const handled: Array<number> = []
    const { options, state } = following(ledgers(1, 5))
    const crashing = createFollower({
      ...options,
      onLedger: (followed) => {
        handled.push(followed.sequence)
        if (followed.sequence === 4) throw new Error('killed')
        return TE.right(undefined)
      },
    })
    await expect(crashing.step()).rejects.toThrow('killed')
    expect(state.cursor).toEqual(cursorAt(3))
    const restarted = createFollower({
      ...options,
      onLedger: (followed) => {
        handled.push(followed.sequence)
        return TE.right(undefined)
      },
    })
    await restarted.step()
    expect(handled).toEqual([1, 2, 3, 4, 4, 5])
  })
  it.each(['load', 'save'] as const)('stops the step when the cursor cannot %s', async (method) => {
    const { options, handled } = following(ledgers(1, 5))
    const failing = createFollower({ ...options, cursor: { ...options.cursor, [method]: () => TE.left(storeDown) } })
    expect(await failing.step()).toEqual(E.left(storeDown))
    expect(sequences(handled)).toEqual(method === 'load' ? [] : [1, 2, 3])
  })
})

describe('a history that cannot be followed', () => {
  it.each<[string, Array<ClosedLedger>, number, Halted]>([
    [
      'a ledger is missing',
      [...ledgers(1, 3), ledger(5, hashOf(4))],
      3,
      { _tag: 'LedgerGap', expected: sequence(4), found: sequence(5) },
    ],
    [
      'a ledger does not continue the one before',
      [...ledgers(1, 3), ledger(4, hashOf(99))],
      3,
      { _tag: 'ChainBroken', sequence: sequence(4), expectedPrevious: hashOf(3), foundPrevious: hashOf(99) },
    ],
    [
      'a ledger inside a batch does not continue the one before',
      [ledger(1), ledger(2, hashOf(77)), ledger(3)],
      1,
      { _tag: 'ChainBroken', sequence: sequence(2), expectedPrevious: hashOf(1), foundPrevious: hashOf(77) },
    ],
  ])('halts and raises one alarm when %s', async (_, closed, last, halted) => {
    const { follower, state, alarms, handled } = following(closed)
    expect(await follower.step()).toEqual(E.left(halted))
    expect(await follower.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(last))
    expect(sequences(handled)).toEqual(sequences(handled).toSorted((a, b) => a - b))
    expect(handled.at(-1)?.sequence).toBe(last)
  })
  it('halts when the node has pruned what comes next', async () => {
    const { follower, state, alarms } = following(ledgers(10, 12), { oldest: 10 })
    state.cursor = cursorAt(4)
    const halted: Halted = { _tag: 'RangePruned', from: sequence(5), oldest: sequence(10) }
    expect(await follower.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(4))
  })
  it('raises one alarm though the node goes on pruning', async () => {
    const { options, state, alarms } = following([])
    state.cursor = cursorAt(4)
    let oldest = 10
    const pruning = createFollower({
      ...options,
      gateway: {
        ...options.gateway,
        readLedgers: (from) => TE.left({ _tag: 'RangePruned', from, oldest: sequence(oldest) }),
      },
    })
    await pruning.step()
    oldest = 11
    expect(await pruning.step()).toEqual(E.left({ _tag: 'RangePruned', from: sequence(5), oldest: sequence(11) }))
    expect(alarms).toEqual([{ _tag: 'RangePruned', from: sequence(5), oldest: sequence(10) }])
  })
  it('goes on once the missing ledger is there', async () => {
    const closed = [...ledgers(1, 3), ledger(5)]
    const { follower, state } = following(closed)
    await follower.step()
    closed.splice(3, 0, ledger(4))
    await follower.step()
    expect(state.cursor).toEqual(cursorAt(5))
  })
  it('goes on past a gap once a person has moved the cursor, and raises the next alarm', async () => {
    const { follower, state, alarms } = following([...ledgers(10, 12), ledger(14)], { oldest: 10 })
    state.cursor = cursorAt(4)
    await follower.step()
    state.cursor = { ...headOf(9), hash: null }
    await follower.step()
    expect(state.cursor).toEqual(cursorAt(12))
    expect(alarms.map(({ _tag }) => _tag)).toEqual(['RangePruned', 'LedgerGap'])
  })
  it('does not alarm anyone while the network cannot be reached', async () => {
    const { options, alarms } = following(ledgers(1, 3))
    const unreachable = { _tag: 'LedgerUnreachable', cause: 'refused' } as const
    const cutOff = createFollower({
      ...options,
      gateway: { ...options.gateway, readLedgers: () => TE.left(unreachable) },
    })
    expect(await cutOff.step()).toEqual(E.left(unreachable))
    expect(alarms).toEqual([])
  })
})

describe('a node whose newest ledger is before the last one handled', () => {
  const reset = (number: number): ClosedLedger => ({ ...ledger(number), closedAt: headOf(1000 + number).closedAt })
  const backTo = (latest: ClosedLedger, from = 63): Halted => ({
    _tag: 'LedgerWentBack',
    cursor: headOf(from),
    latest: expect.objectContaining({ sequence: latest.sequence, closedAt: latest.closedAt }),
  })
  const nothingNew = (handled: number, latest: number) =>
    E.right({ handled: cursorAt(handled), latest: expect.objectContaining(headOf(latest)) })

  it('is late by up to 20 ledgers, without an alarm, and is followed once it has caught up', async () => {
    const closed = ledgers(1, 43)
    const { follower, state, alarms, handled } = following(closed)
    state.cursor = cursorAt(63)
    expect(await follower.step()).toEqual(nothingNew(63, 43))
    expect(state.cursor).toEqual(cursorAt(63))
    closed.push(...ledgers(44, 64))
    expect(await follower.step()).toEqual(nothingNew(64, 64))
    expect(sequences(handled)).toEqual([64])
    expect(alarms).toEqual([])
  })
  it('halts when it is 21 ledgers back, and goes on by itself once it has caught up', async () => {
    const closed = ledgers(1, 42)
    const { follower, state, alarms } = following(closed)
    state.cursor = cursorAt(63)
    const halted = backTo(ledger(42))
    expect(await follower.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(63))
    closed.push(...ledgers(43, 64))
    expect(await follower.step()).toEqual(nothingNew(64, 64))
    expect(alarms).toEqual([halted])
  })
  it('halts one ledger back when that closed after the cursor’s, which no history that we followed can hold', async () => {
    const closed = [...ledgers(1, 61), reset(62)]
    const { follower, state, alarms } = following(closed)
    state.cursor = cursorAt(63)
    const halted = backTo(reset(62))
    expect(await follower.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
  })
  it.each([
    { what: 'a second before it, it is late', ms: -1000, halts: false },
    { what: 'with it, it is of another history', ms: 0, halts: true },
  ])('is judged by its close time: $what', async ({ ms, halts }) => {
    const latest = { ...ledger(62), closedAt: unixMs(headOf(63).closedAt + ms) }
    const { follower, state, alarms } = following([latest])
    state.cursor = cursorAt(63)
    expect(E.isLeft(await follower.step())).toBe(halts)
    expect(alarms).toEqual(halts ? [backTo(latest)] : [])
  })
  it('raises one alarm for a network that was reset and goes on closing, and another where the chain breaks', async () => {
    const closed = [reset(1), reset(2)]
    const { follower, state, alarms, handled } = following(closed)
    state.cursor = cursorAt(4)
    const first = backTo(reset(2), 4)
    expect(await follower.step()).toEqual(E.left(first))
    closed.push(reset(3))
    expect(await follower.step()).toEqual(E.left(backTo(reset(3), 4)))
    expect(alarms).toEqual([first])
    closed.push(reset(4), { ...reset(5), previousHash: hashOf(1004) })
    const broken: Halted = {
      _tag: 'ChainBroken',
      sequence: sequence(5),
      expectedPrevious: hashOf(4),
      foundPrevious: hashOf(1004),
    }
    expect(await follower.step()).toEqual(E.left(broken))
    expect(alarms).toEqual([first, broken])
    expect(handled).toEqual([])
    expect(state.cursor).toEqual(cursorAt(4))
  })
  it('is noticed in the middle of a walk', async () => {
    const { options, state, alarms } = following(ledgers(1, 30))
    const { readLedgers } = options.gateway
    const other = ledgersInMemory(ledgers(1, 2)).gateway
    const changing = createFollower({
      ...options,
      batchSize: 25,
      gateway: {
        ...options.gateway,
        readLedgers: (from, limit) => (from > 25 ? other.readLedgers(from, limit) : readLedgers(from, limit)),
      },
    })
    const halted = backTo(ledger(2), 25)
    expect(await changing.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(25))
  })
})

describe('whatever fails, and whenever', () => {
  it('every ledger is handled, in order, none before the one before it succeeded', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (failures, batchSize) => {
          const plan = [...failures]
          const done: Array<number> = []
          const { options } = following(ledgers(1, 12))
          const unreliable = createFollower({
            ...options,
            batchSize,
            onLedger: ({ sequence: number }) => {
              if (plan.shift()) return TE.left(storeDown)
              done.push(number)
              return TE.right(undefined)
            },
          })
          while (E.isLeft(await unreliable.step())) expect(done.length).toBeLessThan(12)
          expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        },
      ),
    ))
  it('steps asked for at the same time never overlap', async () => {
    const { follower, handled } = following(ledgers(1, 12))
    await Promise.all([follower.step(), follower.step(), follower.step()])
    expect(sequences(handled)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })
})

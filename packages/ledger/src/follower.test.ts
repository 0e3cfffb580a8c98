import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createFollower } from './follower.ts'
import type { FollowedLedger } from './following.ts'
import { cursorAt, following, ledgers, sequences, storeDown } from './testing/following.ts'
import {
  alice,
  creditIn,
  hashOf,
  headOf,
  ledger,
  mandateContract,
  mandateIn,
  movementIn,
  outcomeIn,
  sequence,
} from './testing/ledgers.ts'

describe('following the ledgers', () => {
  it('walks all closed ledgers in order, batch after batch, and keeps the last as its cursor', async () => {
    const { follower, handled, state, reads } = following(ledgers(1, 7))
    expect(await follower.step()).toEqual(E.right({ handled: cursorAt(7), latest: expect.objectContaining(headOf(7)) }))
    const told = handled.map(({ outcomesOf, contractErrorOf, ...brought }) => ({
      ...brought,
      outcomes: outcomesOf(() => true),
    }))
    expect(told).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((each) => ({
        ...headOf(each),
        hash: hashOf(each),
        maxTxSetSize: 1_000,
        credits: [creditIn(each)],
        movements: [movementIn(each)],
        mandates: [],
        outcomes: [outcomeIn(each)],
      })),
    )
    expect(state.cursor).toEqual(cursorAt(7))
    expect(reads).toEqual([1, 4, 7])
  })
  it('hands on what happened in the mandate contracts that it is told of', async () => {
    const { follower, handled } = following(ledgers(1, 2), { mandateContracts: new Set([mandateContract]) })
    await follower.step()
    expect(handled.map(({ mandates }) => mandates)).toEqual([[mandateIn(1)], [mandateIn(2)]])
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
    expect(state.cursor?.sequence).toBe(4)
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
  it.each(['load', 'advance'] as const)('stops the step when the cursor cannot %s', async (method) => {
    const { options, handled } = following(ledgers(1, 5))
    const failing = createFollower({ ...options, cursor: { ...options.cursor, [method]: () => TE.left(storeDown) } })
    expect(await failing.step()).toEqual(E.left(storeDown))
    expect(sequences(handled)).toEqual(method === 'load' ? [] : [1, 2, 3])
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

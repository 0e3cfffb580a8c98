import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from './create-ingestion.ts'
import type { IngestedLedger } from './ingestion.ts'
import { cursorAt, ingesting, ledgers, sequences, storeDown } from './testing/ingesting.ts'
import {
  alice,
  hashOf,
  headOf,
  incomingPaymentIn,
  ledger,
  mandateContract,
  mandateIn,
  movementIn,
  outcomeIn,
  sequence,
} from './testing/ledgers.ts'

describe('ingestion', () => {
  it('handles all closed ledgers in order, batch after batch, and keeps the last as its cursor', async () => {
    const { ingestion, handled, state, reads } = ingesting(ledgers(1, 7))
    expect(await ingestion.step()).toEqual(
      E.right({ handled: cursorAt(7), latest: expect.objectContaining(headOf(7)) }),
    )
    const shown = handled.map(({ outcomesOf, ownTransactions, contractErrorOf, ...brought }) => ({
      ...brought,
      outcomes: outcomesOf(() => true),
    }))
    expect(shown).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((each) => ({
        ...headOf(each),
        hash: hashOf(each),
        maxTxSetSize: 1_000,
        incomingPayments: [incomingPaymentIn(each)],
        movements: [movementIn(each)],
        mandates: [],
        outcomes: [outcomeIn(each)],
      })),
    )
    expect(state.cursor).toEqual(cursorAt(7))
    expect(reads).toEqual([1, 4, 7])
  })
  it('reports what happened in the given mandate contracts', async () => {
    const { ingestion, handled } = ingesting(ledgers(1, 2), {
      mandateContracts: async () => new Set([mandateContract]),
    })
    await ingestion.step()
    expect(handled.map(({ mandates }) => mandates)).toEqual([[mandateIn(1)], [mandateIn(2)]])
  })
  it('begins with the newest ledger where asked to', async () => {
    const { ingestion, handled } = ingesting(ledgers(1, 7), { firstLedger: 'latest' })
    await ingestion.step()
    expect(sequences(handled)).toEqual([7])
  })
  it('does nothing until the first ledger has closed', async () => {
    const { ingestion, state } = ingesting(ledgers(1, 2), { firstLedger: sequence(5) })
    expect(await ingestion.step()).toEqual(E.right({ handled: null, latest: expect.objectContaining(headOf(2)) }))
    expect(state.cursor).toBeNull()
  })
  it('does nothing when nothing has closed since', async () => {
    const { ingestion, handled, state } = ingesting(ledgers(1, 2))
    state.cursor = cursorAt(2)
    expect(await ingestion.step()).toEqual(
      E.right({ handled: cursorAt(2), latest: expect.objectContaining(headOf(2)) }),
    )
    expect(handled).toEqual([])
  })
  it('reads the watched accounts anew for every ledger', async () => {
    const watched = new Set<typeof alice>()
    const handled: Array<IngestedLedger> = []
    const { ingestion } = ingesting(ledgers(1, 3), {
      watched: TE.right(watched),
      onLedger: (ingested) => {
        handled.push(ingested)
        watched.add(alice)
        return TE.right(undefined)
      },
    })
    await ingestion.step()
    expect(handled.map(({ incomingPayments }) => incomingPayments.length)).toEqual([0, 1, 1])
  })
  it('a step ends at the ledger that was the newest when it began', async () => {
    const closed = ledgers(1, 4)
    const { ingestion, state } = ingesting(closed, {
      onLedger: () => {
        closed.push(ledger(closed.length + 1))
        return TE.right(undefined)
      },
    })
    await ingestion.step()
    expect(state.cursor?.sequence).toBe(4)
  })
})

describe('a ledger that cannot be handled', () => {
  it('is handled again by the next step, and those before it are not', async () => {
    const handled: Array<number> = []
    const broken = { is: true }
    const { ingestion, state } = ingesting(ledgers(1, 5), {
      onLedger: (ingested) => {
        handled.push(ingested.sequence)
        return ingested.sequence === 3 && broken.is ? TE.left(storeDown) : TE.right(undefined)
      },
    })
    expect(await ingestion.step()).toEqual(E.left(storeDown))
    expect(state.cursor).toEqual(cursorAt(2))
    broken.is = false
    await ingestion.step()
    expect(handled).toEqual([1, 2, 3, 3, 4, 5])
    expect(state.cursor).toEqual(cursorAt(5))
  })
  it('is handled again after a crash in the middle of it', async () => {
    const handled: Array<number> = []
    const { options, state } = ingesting(ledgers(1, 5))
    const crashing = createIngestion({
      ...options,
      onLedger: (ingested) => {
        handled.push(ingested.sequence)
        if (ingested.sequence === 5) throw new Error('killed')
        return TE.right(undefined)
      },
    })
    await expect(crashing.step()).rejects.toThrow('killed')
    // In the midst of the second batch of three.
    expect(state.cursor).toEqual(cursorAt(4))
    const restarted = createIngestion({
      ...options,
      onLedger: (ingested) => {
        handled.push(ingested.sequence)
        return TE.right(undefined)
      },
    })
    await restarted.step()
    expect(handled).toEqual([1, 2, 3, 4, 5, 5])
  })
  it.each(['load', 'advance'] as const)('stops the step when the cursor cannot %s', async (method) => {
    const { options, handled } = ingesting(ledgers(1, 5))
    const failing = createIngestion({ ...options, cursor: { ...options.cursor, [method]: () => TE.left(storeDown) } })
    expect(await failing.step()).toEqual(E.left(storeDown))
    expect(sequences(handled)).toEqual(method === 'load' ? [] : [1])
  })
})

describe('ingestion', () => {
  it('handles every ledger in order, whatever fails', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (failures, batchSize) => {
          const plan = [...failures]
          const done: Array<number> = []
          const { options } = ingesting(ledgers(1, 12))
          const unreliable = createIngestion({
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
  it('never overlaps steps that are requested at the same time', async () => {
    const { ingestion, handled } = ingesting(ledgers(1, 12))
    await Promise.all([ingestion.step(), ingestion.step(), ingestion.step()])
    expect(sequences(handled)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })
})

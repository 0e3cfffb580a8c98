import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from './create-ingestion.ts'
import type { ClosedLedger } from './gateway.ts'
import type { Halted } from './ingestion.ts'
import { cursorAt, ingesting, ledgers, sequences } from './testing/ingesting.ts'
import { hashOf, headOf, ledger, sequence } from './testing/ledgers.ts'

describe('ingestion of a broken history', () => {
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
    const { ingestion, state, alarms, handled } = ingesting(closed)
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(last))
    expect(sequences(handled)).toEqual(sequences(handled).toSorted((a, b) => a - b))
    expect(handled.at(-1)?.sequence).toBe(last)
  })
  it('halts when the node has pruned what comes next', async () => {
    const { ingestion, state, alarms } = ingesting(ledgers(10, 12), { oldest: 10 })
    state.cursor = cursorAt(4)
    const halted: Halted = { _tag: 'RangePruned', from: sequence(5), oldest: sequence(10) }
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(4))
  })
  it('raises one alarm while the node prunes more', async () => {
    const { options, state, alarms } = ingesting([])
    state.cursor = cursorAt(4)
    let oldest = 10
    const pruning = createIngestion({
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
  it('continues once the missing ledger is there', async () => {
    const closed = [...ledgers(1, 3), ledger(5)]
    const { ingestion, state } = ingesting(closed)
    await ingestion.step()
    closed.splice(3, 0, ledger(4))
    await ingestion.step()
    expect(state.cursor).toEqual(cursorAt(5))
  })
  it('continues past a gap once a person has moved the cursor, and raises the next alarm', async () => {
    const { ingestion, state, alarms } = ingesting([...ledgers(10, 12), ledger(14)], { oldest: 10 })
    state.cursor = cursorAt(4)
    await ingestion.step()
    state.cursor = { ...headOf(9), hash: null }
    await ingestion.step()
    expect(state.cursor).toEqual(cursorAt(12))
    expect(alarms.map(({ _tag }) => _tag)).toEqual(['RangePruned', 'LedgerGap'])
  })
  it('raises no alarm while the network cannot be reached', async () => {
    const { options, alarms } = ingesting(ledgers(1, 3))
    const unreachable = { _tag: 'LedgerUnreachable', cause: 'refused' } as const
    const cutOff = createIngestion({
      ...options,
      gateway: { ...options.gateway, readLedgers: () => TE.left(unreachable) },
    })
    expect(await cutOff.step()).toEqual(E.left(unreachable))
    expect(alarms).toEqual([])
  })
})

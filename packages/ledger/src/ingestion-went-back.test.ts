import { unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createIngestion } from './create-ingestion.ts'
import type { ClosedLedger } from './gateway.ts'
import type { Halted } from './ingestion.ts'
import { cursorAt, ingesting, ledgers, sequences } from './testing/ingesting.ts'
import { hashOf, headOf, ledger, ledgersInMemory, sequence } from './testing/ledgers.ts'

describe('a node whose newest ledger is before the last one handled', () => {
  const reset = (number: number): ClosedLedger => ({ ...ledger(number), closedAt: headOf(1000 + number).closedAt })
  const backTo = (latest: ClosedLedger, from = 63): Halted => ({
    _tag: 'LedgerWentBack',
    cursor: headOf(from),
    latest: expect.objectContaining({ sequence: latest.sequence, closedAt: latest.closedAt }),
  })
  const nothingNew = (handled: number, latest: number) =>
    E.right({ handled: cursorAt(handled), latest: expect.objectContaining(headOf(latest)) })

  it('is late by up to 20 ledgers, without an alarm, and is read again once it has caught up', async () => {
    const closed = ledgers(1, 43)
    const { ingestion, state, alarms, handled } = ingesting(closed)
    state.cursor = cursorAt(63)
    expect(await ingestion.step()).toEqual(nothingNew(63, 43))
    expect(state.cursor).toEqual(cursorAt(63))
    closed.push(...ledgers(44, 64))
    expect(await ingestion.step()).toEqual(nothingNew(64, 64))
    expect(sequences(handled)).toEqual([64])
    expect(alarms).toEqual([])
  })
  it('halts when it is 21 ledgers back, and continues by itself once the node has caught up', async () => {
    const closed = ledgers(1, 42)
    const { ingestion, state, alarms } = ingesting(closed)
    state.cursor = cursorAt(63)
    const halted = backTo(ledger(42))
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(63))
    closed.push(...ledgers(43, 64))
    expect(await ingestion.step()).toEqual(nothingNew(64, 64))
    expect(alarms).toEqual([halted])
  })
  it('halts one ledger back when that closed after the cursor’s, which no late node of our history can hold', async () => {
    const closed = [...ledgers(1, 61), reset(62)]
    const { ingestion, state, alarms } = ingesting(closed)
    state.cursor = cursorAt(63)
    const halted = backTo(reset(62))
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
  })
  it.each([
    { what: 'a second before it, it is late', ms: -1000, halts: false },
    { what: 'with it, it is of another history', ms: 0, halts: true },
  ])('is judged by its close time: $what', async ({ ms, halts }) => {
    const latest = { ...ledger(62), closedAt: unixMs(headOf(63).closedAt + ms) }
    const { ingestion, state, alarms } = ingesting([latest])
    state.cursor = cursorAt(63)
    expect(E.isLeft(await ingestion.step())).toBe(halts)
    expect(alarms).toEqual(halts ? [backTo(latest)] : [])
  })
  it('raises one alarm for a network that was reset, and another where the chain breaks', async () => {
    const closed = [reset(1), reset(2)]
    const { ingestion, state, alarms, handled } = ingesting(closed)
    state.cursor = cursorAt(4)
    const first = backTo(reset(2), 4)
    expect(await ingestion.step()).toEqual(E.left(first))
    closed.push(reset(3))
    expect(await ingestion.step()).toEqual(E.left(backTo(reset(3), 4)))
    expect(alarms).toEqual([first])
    closed.push(reset(4), { ...reset(5), previousHash: hashOf(1004) })
    const broken: Halted = {
      _tag: 'ChainBroken',
      sequence: sequence(5),
      expectedPrevious: hashOf(4),
      foundPrevious: hashOf(1004),
    }
    expect(await ingestion.step()).toEqual(E.left(broken))
    expect(alarms).toEqual([first, broken])
    expect(handled).toEqual([])
    expect(state.cursor).toEqual(cursorAt(4))
  })
  it('is noticed in the middle of a step', async () => {
    const { options, state, alarms } = ingesting(ledgers(1, 30))
    const { readLedgers } = options.gateway
    const other = ledgersInMemory(ledgers(1, 2)).gateway
    const changing = createIngestion({
      ...options,
      batchSize: 25,
      gateway: {
        ...options.gateway,
        readLedgers: (...request) => (request[0] > 25 ? other.readLedgers(...request) : readLedgers(...request)),
      },
    })
    const halted = backTo(ledger(2), 25)
    expect(await changing.step()).toEqual(E.left(halted))
    expect(alarms).toEqual([halted])
    expect(state.cursor).toEqual(cursorAt(25))
  })
})

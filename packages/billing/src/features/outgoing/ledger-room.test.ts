import { LedgerSequence, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { ClosedLedger, LedgerGateway } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { openLedgerRoom, operationsAtOnce } from './ledger-room.ts'

describe('a transaction', () => {
  it.each([
    ['nobody knows how large a ledger is', null, 1],
    ['a ledger takes nothing', 0, 1],
    ['a ledger takes one operation', 1, 1],
    ['a fee bump leaves room for one', 2, 1],
    ['a fee bump leaves room for two', 3, 2],
    ['a ledger takes twenty operations', 20, 19],
    ['a ledger takes as many as a transaction may hold', 100, 99],
    ['a fee bump fits beside as many as a transaction may hold', 101, 100],
    ['a ledger takes more than a transaction may hold', 1_000, 100],
  ])('puts the right number of operations in a transaction when %s', (_, maxTxSetSize, most) =>
    expect(operationsAtOnce(maxTxSetSize)).toBe(most),
  )
})

describe('the room of a ledger', () => {
  const [one, two] = [decoded(LedgerSequence, 1), decoded(LedgerSequence, 2)]
  const ledger = (sequence: LedgerSequence, maxTxSetSize: number): ClosedLedger => ({
    sequence,
    closedAt: unixMs(0),
    hash: '',
    previousHash: '',
    maxTxSetSize,
    ownTransactions: () => [],
    incomingPaymentsTo: () => [],
    movementsOf: () => [],
    outcomesOf: () => [],
    mandatesOf: () => [],
    contractErrorOf: () => null,
  })
  const [first, second] = [ledger(one, 50), ledger(two, 20)]
  let asked: Array<number>
  beforeEach(() => {
    asked = []
  })
  /** A node that holds the second ledger, or does not answer. */
  const node = (answers = true): Pick<LedgerGateway, 'readLedgers'> => ({
    readLedgers: (from) => {
      asked.push(from)
      return answers
        ? TE.right({ node: 'a', ledgers: [second], through: two, latest: second, twin: null })
        : TE.left({ _tag: 'LedgerUnreachable', cause: 'a test' })
    },
  })

  it('takes the room of the newest ingested ledger, without asking a node', async () => {
    const room = openLedgerRoom(node())
    room.ingested(first)
    expect(await room.operations(one)).toBe(49)
    room.ingested(second)
    expect(await room.operations(two)).toBe(19)
    expect(asked).toEqual([])
  })
  it('asks a node once for the room when another process has ingested that ledger', async () => {
    const room = openLedgerRoom(node())
    room.ingested(first)
    expect(await room.operations(two)).toBe(19)
    expect(await room.operations(two)).toBe(19)
    expect(asked).toEqual([2])
  })
  it('takes the room of an earlier ledger, or of one operation, when no node answers', async () => {
    const room = openLedgerRoom(node(false))
    expect(await room.operations(two)).toBe(1)
    room.ingested(first)
    expect(await room.operations(two)).toBe(49)
  })
})

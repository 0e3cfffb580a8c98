import { stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from './create-ingestion.ts'
import type { ClosedLedger, LedgerBatch } from './gateway.ts'
import type { Halted } from './ingestion.ts'
import { cursorAt, ingesting, ledgers, sequences } from './testing/ingesting.ts'
import {
  hashOf,
  incomingPaymentIn,
  ledger,
  mandateContract,
  mandateIn,
  movementIn,
  sequence,
} from './testing/ledgers.ts'

/** A ingestion to whom nodes `a` and `b` tell the ledgers side by side. */
const comparing = (first: Array<ClosedLedger>, twins: ReadonlyArray<ClosedLedger>) => {
  const over = ingesting(first, { mandateContracts: async () => new Set([mandateContract]) })
  const { gateway } = over.options
  const withTwin = (from: number) => (batch: LedgerBatch) => ({
    ...batch,
    twin: { node: 'b', ledgers: twins.filter((each) => each.sequence >= from).slice(0, 3) },
  })
  const ingestion = createIngestion({
    ...over.options,
    gateway: {
      ...gateway,
      readLedgers: (...request) => TE.map(withTwin(request[0]))(gateway.readLedgers(...request)),
    },
  })
  return { ...over, ingestion }
}

const replaced = (all: ReadonlyArray<ClosedLedger>, other: ClosedLedger): Array<ClosedLedger> =>
  all.map((each) => (each.sequence === other.sequence ? other : each))

describe('a ledger that two nodes hold', () => {
  it('is handled when both agree', async () => {
    const { ingestion, handled, alarms } = comparing(ledgers(1, 7), ledgers(1, 7))
    await ingestion.step()
    expect(sequences(handled)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(alarms).toEqual([])
  })

  const five = ledger(5)
  const disagreements: ReadonlyArray<[string, ClosedLedger, Extract<Halted, { _tag: 'NodesDisagree' }>['about']]> = [
    ['another hash', { ...five, hash: hashOf(55) }, 'hash'],
    ['a credit less', { ...five, incomingPaymentsTo: () => [] }, 'credits'],
    [
      'another amount',
      { ...five, incomingPaymentsTo: () => [{ ...incomingPaymentIn(5), amount: stroops(6n) }] },
      'credits',
    ],
    ['a credit more', { ...five, incomingPaymentsTo: () => [incomingPaymentIn(5), incomingPaymentIn(6)] }, 'credits'],
    ['a change of a balance less', { ...five, movementsOf: () => [] }, 'movements'],
    ['a mandate less', { ...five, mandatesOf: () => [] }, 'mandates'],
    ['another mandate', { ...five, mandatesOf: () => [mandateIn(6)] }, 'mandates'],
    ['another change', { ...five, movementsOf: () => [{ ...movementIn(5), delta: -6n }] }, 'movements'],
  ]
  it.each(disagreements)('halts ingestion before it, naming both nodes, when one shows %s', async (_, other, about) => {
    const halted: Halted = { _tag: 'NodesDisagree', sequence: sequence(5), about, nodes: ['a', 'b'] }
    const honest = ledgers(1, 7)
    for (const [first, twins] of [
      [honest, replaced(honest, other)],
      [replaced(honest, other), honest],
    ] as const) {
      const { ingestion, handled, alarms, state } = comparing([...first], twins)
      expect(await ingestion.step()).toEqual(E.left(halted))
      expect(await ingestion.step()).toEqual(E.left(halted))
      expect(alarms).toEqual([halted])
      expect(sequences(handled)).toEqual([1, 2, 3, 4])
      expect(state.cursor).toEqual(cursorAt(4))
    }
  })

  it('waits until both hold it', async () => {
    const { ingestion, handled } = comparing(ledgers(1, 7), ledgers(1, 2))
    await ingestion.step()
    expect(sequences(handled)).toEqual([1, 2])
  })
})

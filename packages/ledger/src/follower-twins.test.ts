import { stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createFollower } from './follower.ts'
import type { Halted } from './following.ts'
import type { ClosedLedger, LedgerBatch } from './gateway.ts'
import { cursorAt, following, ledgers, sequences } from './testing/following.ts'
import { creditIn, hashOf, ledger, mandateContract, mandateIn, movementIn, sequence } from './testing/ledgers.ts'

/** A follower to whom nodes `a` and `b` tell the ledgers side by side. */
const comparing = (told: Array<ClosedLedger>, twins: ReadonlyArray<ClosedLedger>) => {
  const followed = following(told, { mandateContracts: new Set([mandateContract]) })
  const { gateway } = followed.options
  const withTwin = (from: number) => (batch: LedgerBatch) => ({
    ...batch,
    twin: { node: 'b', ledgers: twins.filter((each) => each.sequence >= from).slice(0, 3) },
  })
  const follower = createFollower({
    ...followed.options,
    gateway: {
      ...gateway,
      readLedgers: (...request) => TE.map(withTwin(request[0]))(gateway.readLedgers(...request)),
    },
  })
  return { ...followed, follower }
}

const replaced = (all: ReadonlyArray<ClosedLedger>, other: ClosedLedger): Array<ClosedLedger> =>
  all.map((each) => (each.sequence === other.sequence ? other : each))

describe('a ledger that two nodes tell', () => {
  it('is handled when both tell the same', async () => {
    const { follower, handled, alarms } = comparing(ledgers(1, 7), ledgers(1, 7))
    await follower.step()
    expect(sequences(handled)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(alarms).toEqual([])
  })

  const five = ledger(5)
  const disagreements: ReadonlyArray<[string, ClosedLedger, Extract<Halted, { _tag: 'NodesDisagree' }>['about']]> = [
    ['another hash', { ...five, hash: hashOf(55) }, 'hash'],
    ['a credit less', { ...five, creditsTo: () => [] }, 'credits'],
    ['another amount', { ...five, creditsTo: () => [{ ...creditIn(5), amount: stroops(6n) }] }, 'credits'],
    ['a credit more', { ...five, creditsTo: () => [creditIn(5), creditIn(6)] }, 'credits'],
    ['a change of a balance less', { ...five, movementsOf: () => [] }, 'movements'],
    ['a mandate less', { ...five, mandatesOf: () => [] }, 'mandates'],
    ['another mandate', { ...five, mandatesOf: () => [mandateIn(6)] }, 'mandates'],
    ['another change', { ...five, movementsOf: () => [{ ...movementIn(5), delta: -6n }] }, 'movements'],
  ]
  it.each(disagreements)('halts the follower before it, naming both, when one tells %s', async (_, other, about) => {
    const halted: Halted = { _tag: 'NodesDisagree', sequence: sequence(5), about, nodes: ['a', 'b'] }
    const honest = ledgers(1, 7)
    for (const [told, twins] of [
      [honest, replaced(honest, other)],
      [replaced(honest, other), honest],
    ] as const) {
      const { follower, handled, alarms, state } = comparing([...told], twins)
      expect(await follower.step()).toEqual(E.left(halted))
      expect(await follower.step()).toEqual(E.left(halted))
      expect(alarms).toEqual([halted])
      expect(sequences(handled)).toEqual([1, 2, 3, 4])
      expect(state.cursor).toEqual(cursorAt(4))
    }
  })

  it('waits until both hold it', async () => {
    const { follower, handled } = comparing(ledgers(1, 7), ledgers(1, 2))
    await follower.step()
    expect(sequences(handled)).toEqual([1, 2])
  })
})

import type { CommandContext } from '@quittance/billing'
import { asText, BasisPoints, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { Player } from '../player.ts'
import type { Stage } from '../stage.ts'

/** An operator who takes a share of the merchant's sales, decides anew at any time, and collects what is owed. */
export const feeTaker = (stage: Stage): Player => {
  const { random, fixture, faultFree, visit } = stage
  const { merchantId } = fixture
  const context = (): CommandContext => {
    const commandId = faultFree.freshId()
    const ids = { commandId, correlationId: commandId, causationId: null, actor: 'operator' }
    return { merchantId, environment: 'testnet', ...ids, at: faultFree.clock.now('testnet') }
  }
  const decide = (shares: ReadonlyArray<number>): void => {
    const fee = { basisPoints: decoded(BasisPoints, random.oneOf(shares)), fixed: [] }
    const wanted = { fee, from: null, by: asText('an operator'), reason: asText('a new share') }
    const of = context()
    visit(`a fee of ${fee.basisPoints} basis points`, ({ platformFees }) => platformFees.set(of, wanted))
  }
  const collect = (): void => {
    const of = context()
    visit('a collection of fees', ({ payouts }) => payouts.collectFees(of, stroops(1n)))
  }
  decide([250, 1_000])
  return {
    moves: [
      { name: 'another platform fee', weight: 4, act: () => decide([0, 250, 1_000, 10_000]) },
      { name: 'fees are collected', weight: 12, act: collect },
    ],
    rest: () => undefined,
    attend: collect,
  }
}

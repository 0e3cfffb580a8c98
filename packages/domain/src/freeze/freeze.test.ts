import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { type FreezeDecision, Freezes, freezeScopeOf, isFrozen } from './index.ts'

const { given } = scenario(Freezes.decider)
const decided = (scope: FreezeDecision['scope'], merchantId?: string, minutes = 0): FreezeDecision => ({
  scope,
  by: asText('Ada'),
  reason: asText('a key was stolen'),
  at: unixMs(start + minutes * 60_000),
  ...(merchantId === undefined ? {} : { merchantId: asText(merchantId) }),
})
const freeze = (...of: Parameters<typeof decided>) => ({ type: 'Freeze' as const, ...decided(...of) })
const unfreeze = (...of: Parameters<typeof decided>) => ({ type: 'Unfreeze' as const, ...decided(...of) })
const frozen = (...of: Parameters<typeof decided>) => ({ type: 'Frozen' as const, data: decided(...of) })
const unfrozen = (...of: Parameters<typeof decided>) => ({ type: 'Unfrozen' as const, data: decided(...of) })

describe('freezing', () => {
  it('records who froze what, why and when', () =>
    given([])
      .when(freeze('sales'))
      .then([frozen('sales')]))
  it('keeps the first reason of what is frozen already', () =>
    given([frozen('sales')])
      .when(freeze('sales', undefined, 1))
      .then([]))
  it('freezes a merchant although all merchants are frozen', () =>
    given([frozen('sales')])
      .when(freeze('sales', 'mer_1'))
      .then([frozen('sales', 'mer_1')]))
  it('freezes again what was unfrozen', () =>
    given([frozen('sales'), unfrozen('sales', undefined, 1)])
      .when(freeze('sales', undefined, 2))
      .then([frozen('sales', undefined, 2)]))
})

describe('unfreezing', () => {
  it('records who ended the freeze and why', () =>
    given([frozen('payouts', 'mer_1')])
      .when(unfreeze('payouts', 'mer_1', 1))
      .then([unfrozen('payouts', 'mer_1', 1)]))
  it.each([
    ['nothing is frozen', []],
    ['another scope is', [frozen('charges', 'mer_1')]],
    ['another merchant is', [frozen('payouts', 'mer_2')]],
    ['all merchants are, which is another decision', [frozen('payouts')]],
  ])('records nothing while %s', (_, history) => given(history).when(unfreeze('payouts', 'mer_1')).then([]))
})

describe('what is frozen', () => {
  const { evolve, initial } = Freezes.decider
  it.each([
    ['the merchant', [frozen('charges', 'mer_1')], true],
    ['all merchants', [frozen('charges')], true],
    [
      'all merchants, while the merchant was unfrozen',
      [frozen('charges', 'mer_1'), frozen('charges'), unfrozen('charges', 'mer_1')],
      true,
    ],
    [
      'the merchant, while all were unfrozen',
      [frozen('charges', 'mer_1'), frozen('charges'), unfrozen('charges')],
      true,
    ],
    ['everything of the merchant', [frozen('everything', 'mer_1')], true],
    ['another merchant', [frozen('charges', 'mer_2')], false],
    ['another scope', [frozen('sales', 'mer_1'), frozen('payouts')], false],
    ['nothing any more', [frozen('charges', 'mer_1'), unfrozen('charges', 'mer_1')], false],
  ])('with a freeze of %s', (_, history, expected) =>
    expect(isFrozen(history.reduce(evolve, initial), 'charges', 'mer_1')).toBe(expected),
  )

  it('is all money that leaves, and charges; never set-ups, rotations of keys and ends of mandates', () =>
    expect(
      (['refund', 'return', 'payout', 'charge', 'cancellation', 'set_up', 'rotation'] as const).map((each) =>
        freezeScopeOf(each),
      ),
    ).toEqual(['payouts', 'payouts', 'payouts', 'charges', null, null, null]))
})

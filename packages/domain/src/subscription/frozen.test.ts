import { defaultPolicy } from '../merchant/index.ts'
import { type UnixMs, unixMs } from '../shared/units.ts'
import { begun, dayMs, on } from '../testing/subscription-examples.ts'
import { type Ends, lifeOf } from '../testing/subscription-life.ts'
import { nextStep, type Stopped } from './next-step.ts'

const boundary = on('2027-02-28')
const noMoney: Ends = () => 'balance_too_low'
const revoked: Ends = () => 'allowance_too_low'
const [sales, charges]: ReadonlyArray<Stopped> = [
  { sales: true, charges: false },
  { sales: false, charges: true },
]

/** A subscription that lived until a moment, and slept until another. */
const slept = (until: UnixMs, at: UnixMs, ends: Ends) => {
  const life = lifeOf(begun(on('2027-01-31')), defaultPolicy)
  life.pass(until, ends)
  return (stopped?: Stopped) => nextStep(life.state, at, defaultPolicy, stopped)._tag
}

describe('while the operator has frozen something', () => {
  const after = (days: number) => unixMs(boundary + days * dayMs)
  it.each([
    ['a renewal', slept(after(-1), after(1), noMoney), ['attempt_charge', 'attempt_charge', 'nothing']],
    ['a retry', slept(after(2), after(4), noMoney), ['attempt_charge', 'attempt_charge', 'nothing']],
    ['the last notice', slept(after(12), after(13.5), noMoney), ['give_final_notice', 'nothing', 'nothing']],
    ['an unpaid invoice', slept(after(20), after(31), noMoney), ['cancel_unpaid', 'nothing', 'nothing']],
    [
      'a cause that nobody has cured',
      slept(after(1), after(4), revoked),
      ['become_overdue', 'look_at_cause', 'look_at_cause'],
    ],
  ] as const)('%s: charged and worsened only outside a freeze', (_, step, expected) =>
    expect([step(), step(sales), step(charges)]).toEqual(expected),
  )
})

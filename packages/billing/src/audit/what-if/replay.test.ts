import { cents, count, dayMs, type Policy, ProductId, secondMs, unixMs } from '@quittance/domain'
import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import { exampleId } from '@quittance/domain/testing/examples'
import { right } from '@quittance/domain/testing/outcomes'
import { monthly } from '@quittance/domain/testing/subscription-examples'
import type { ChargeEnd } from '@quittance/domain/testing/subscription-life'
import fc from 'fast-check'
import { figuresOf } from './figures.ts'
import { notOtherwise, type OtherRules } from './other-rules.ts'
import { replay } from './replay.ts'
import { actsOfLife } from './testing/acts-of-life.ts'
import { anyAwakeLife } from './testing/awake-life.ts'
import { sameWorld, shapeOf, tracedLife } from './testing/traced-life.ts'

/** The worker does nothing else while a charge settles. */
const settlesInMs = 5 * secondMs

/** Rules that concern nobody. */
const idle: OtherRules = {
  from: unixMs(0),
  prices: [{ productId: exampleId(ProductId, 900), price: { ...monthly.price, cents: cents(1n) }, since: unixMs(0) }],
  longestPauseDays: count(36_500),
}

const another: fc.Arbitrary<Policy> = anyLife.map(({ policy }) => policy)
describe('a replay', () => {
  it('by the policy that counted is the record, event for event', () =>
    fc.assert(
      fc.property(anyLife, fc.constantFrom(notOtherwise, idle), (script, rules) => {
        const life = live(script)
        const { moments, assumed } = right(replay(tracedLife(life), { ...sameWorld(life), rules }))
        expect(moments.flatMap(({ events }) => events)).toEqual(life.history)
        expect(assumed).toBe(0)
      }),
      { numRuns: 300 },
    ))

  it('that lives by its own clock is the record, event for event, where the worker never slept', () =>
    fc.assert(
      fc.property(anyAwakeLife, (script) => {
        const life = live(script)
        life.wakeAt(life.now)
        const { moments } = right(
          replay(tracedLife(life), { ...sameWorld(life), isByClock: true, latenessMs: settlesInMs }),
        )
        expect(moments.flatMap(({ events }) => events)).toEqual(life.history)
      }),
      { numRuns: 100 },
    ))

  it('by another policy is the life by that policy, of a wallet that always answers the same', () =>
    fc.assert(
      fc.property(
        anyLife,
        another,
        fc.constantFrom<ChargeEnd>('confirmed', 'balance_too_low', 'no_trustline', 'no_rate'),
        fc.constantFrom(10, 40, 70),
        (script, other, end, days) => {
          const lived = (policy: Policy) => {
            const life = live({ details: script.details, policy, happenings: [] })
            life.pass(unixMs(life.now + days * dayMs), () => end)
            return life
          }
          const [life, would] = [lived(script.policy), lived(other)]
          const world = { ...sameWorld(life), changed: () => other }
          const { moments } = right(replay(tracedLife(life), world))
          expect(shapeOf(moments)).toEqual(shapeOf(actsOfLife(would)))
          const figures = [moments, tracedLife(would)].map((each) => figuresOf(each, world.from, world.to))
          expect(figures[0]).toEqual(figures[1])
        },
      ),
      { numRuns: 60 },
    ))
})

import { cents, count, dayMs, type UnixMs, unixMs } from '@quittance/domain'
import { anyLife, live } from '@quittance/domain/testing/any-subscription-life'
import { right } from '@quittance/domain/testing/outcomes'
import type { ChargeEnd, Life } from '@quittance/domain/testing/subscription-life'
import fc from 'fast-check'
import { present } from '../../testing/outcomes.ts'
import { figuresOf } from './figures.ts'
import { notOtherwise, type OtherRules } from './other-rules.ts'
import { replay } from './replay.ts'
import { sameWorld, shapeOf, tracedLife } from './testing/traced-life.ts'

const anyEnd = fc.constantFrom<ChargeEnd>('confirmed', 'balance_too_low', 'no_trustline', 'no_rate')

/** Far above every cap, and below every price. */
const anyCents = fc.constantFrom(cents(1n), cents(123_456n))

const repriced = ({ state }: Life, amount: ReturnType<typeof cents>, since: UnixMs): OtherRules => {
  const { productId, price } = state.details.terms
  return { ...notOtherwise, prices: [{ productId, price: { ...price, cents: amount }, since }] }
}

const replayed = (life: Life, rules: OtherRules) => right(replay(tracedLife(life), { ...sameWorld(life), rules }))

describe('a replay at another price', () => {
  it('is the same life, which costs the other price, for those who begin under it', () =>
    fc.assert(
      fc.property(anyLife, anyEnd, anyCents, (script, end, amount) => {
        const life = live({ ...script, happenings: [] })
        life.pass(unixMs(life.now + 70 * dayMs), () => end)
        const { moments } = replayed(life, repriced(life, amount, unixMs(0)))
        const acts = tracedLife(life)
        const { from, to } = sameWorld(life)
        const { revenue, monthly, ...recorded } = figuresOf(acts, from, to)
        const { currency, cents: before } = life.state.details.terms.price
        const earned = ((revenue.get(currency) ?? 0n) * amount) / before
        const { monthly: _, ...figures } = figuresOf(moments, from, to)
        expect(shapeOf(moments)).toEqual(shapeOf(acts))
        expect(figures).toEqual({ ...recorded, revenue: earned === 0n ? new Map() : new Map([[currency, earned]]) })
      }),
      { numRuns: 40 },
    ))

  it('takes it for periods that begin from then on, and never for earlier ones, whatever happens', () =>
    fc.assert(
      fc.property(anyLife, anyCents, fc.nat({ max: 200 }), (script, amount, day) => {
        const life = live(script)
        const since = unixMs(life.state.details.startedAt + day * dayMs)
        const { moments } = replayed(life, repriced(life, amount, since))
        const { state } = present(moments.at(-1))
        const { productId } = life.state.details.terms
        const own = state.attempts.filter((each) => each.productId === productId)
        const invoiced = new Set(state.invoices.map(({ invoice }) => invoice.n))
        expect(
          own.filter(({ n, period, price }) => {
            const isOther = price.cents === amount
            return invoiced.has(n) ? false : isOther !== period.start >= since
          }),
        ).toEqual([])
      }),
      { numRuns: 200 },
    ))
})

describe('a replay with shorter pauses', () => {
  it.each([0, 1, 10, 45])('is the life in which each pause ended after %i days', (days) =>
    fc.assert(
      fc.property(anyLife, fc.constantFrom(0.3, 3.3, 40.3), (script, before) => {
        const lived = (isShort: boolean): Life => {
          const life = live({ ...script, foreseen: [], happenings: [] })
          const pass = (span: number) => life.pass(unixMs(life.now + span * dayMs))
          pass(before)
          if (!isShort || days > 0) life.give({ type: 'Pause', at: life.now })
          pass(days)
          if (isShort && days > 0) life.give({ type: 'Resume', at: life.now })
          pass(100.5 - days)
          return life
        }
        const rules = { ...notOtherwise, longestPauseDays: count(days) }
        expect(shapeOf(replayed(lived(false), rules).moments)).toEqual(shapeOf(tracedLife(lived(true))))
      }),
      { numRuns: 50 },
    ),
  )

  it('comes to an end, whatever happens, and lets nobody pause for 0 days', () =>
    fc.assert(
      fc.property(anyLife, fc.constantFrom(0, 1, 5), (script, days) => {
        const life = live(script)
        const { moments } = replayed(life, { ...notOtherwise, longestPauseDays: count(days) })
        const pauses = moments.flatMap(({ events }) =>
          events.filter(({ type, data }) => type === 'Paused' && data.unsettled === undefined),
        )
        expect(days === 0 ? pauses : []).toEqual([])
      }),
      { numRuns: 200 },
    ))
})

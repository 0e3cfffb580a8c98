import { stroops } from '../shared/stroops.ts'
import { minuteMs, positiveCount, secondMs } from '../shared/units.ts'
import { accepted, after, created, creditOf, quote, quoted } from '../testing/checkout-examples.ts'
import { amountDue, Checkout, type CheckoutEvent, currentQuote, type Session } from './index.ts'

const { initial, evolve } = Checkout.decider
const session = (history: ReadonlyArray<CheckoutEvent>): Session => {
  const state = history.reduce(evolve, initial)
  if (state.status === 'absent') throw new Error('the session was created')
  return state
}

describe('the amount due', () => {
  it('is the whole quote before any payment', () =>
    expect(amountDue(session([created, quoted]), quote)).toBe(100_000_000n))
  it('is the new quote less the amount received', () => {
    const requote = { ...quote, amount: stroops(110_000_000n) }
    expect(amountDue(session([created, quoted, accepted(creditOf(40_000_000n))]), requote)).toBe(70_000_000n)
  })
  it.each([99_999_999n, 100_000_000n, 100_000_001n])('is at least one stroop: %s received', (received) =>
    expect(amountDue(session([created, accepted(creditOf(received))]), quote)).toBe(1n),
  )
})

describe('the quote to show', () => {
  const lower = {
    ...quote,
    ordinal: positiveCount(2),
    amount: stroops(90_000_000n),
    validFrom: after(10 * minuteMs),
    validUntil: after(25 * minuteMs),
  }
  const both = session([created, quoted, { type: 'QuoteIssued', data: lower }])
  it.each([
    { ms: 0, ordinal: 1, rule: 'from its first moment' },
    { ms: 10 * minuteMs - secondMs, ordinal: 1, rule: 'before the lower one is issued' },
    { ms: 10 * minuteMs, ordinal: 2, rule: 'the lowest of those valid' },
    { ms: 25 * minuteMs - 1, ordinal: 2, rule: 'to its last millisecond' },
  ])('shows quote number $ordinal $rule', ({ ms, ordinal }) =>
    expect(currentQuote(both, after(ms))?.ordinal).toBe(ordinal),
  )
  it('shows no quote when all have ended: two minutes of grace are for payments under way', () =>
    expect(currentQuote(both, after(25 * minuteMs))).toBeNull())
  it('shows no quote before the first', () => expect(currentQuote(session([created]), after(0))).toBeNull())
})

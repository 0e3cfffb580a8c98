import { IncomingPaymentOrdinal, OperationIndex } from '../shared/incoming-payment.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import {
  accept,
  accepted,
  completed,
  created,
  creditOf,
  exact,
  expired,
  failedUnderpaid,
  firstPayment,
  quote,
  quoted,
  sale,
  secondPayment,
  settled,
  settledBy,
  submitted,
  unapplied,
} from '../testing/checkout-examples.ts'
import { decoded } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutEvent } from './index.ts'

const { given } = scenario(Checkout.decider)
const open = [created, quoted]
const price = 100_000_000n

describe('an incoming payment in time', () => {
  it('settles the sale when it covers the price', () =>
    given(open)
      .when(accept(exact))
      .then([accepted(exact), settledBy(exact)]))
  it('leaves the sale open one stroop short of the price', () => {
    const short = creditOf(price - 1n)
    given(open)
      .when(accept(short))
      .then([accepted(short)])
  })
  it('counts any amount, however small, and the next may settle', () => {
    const first = creditOf(price - 1n)
    const rest = creditOf(1n, 2)
    given([...open, accepted(first)])
      .when({ ...accept(rest), paymentId: secondPayment })
      .then([accepted(rest), settledBy(rest, { received: stroops(price) })])
  })
  it('assigns an incoming payment to the payment its transaction was submitted for', () =>
    given([...open, submitted])
      .when({ ...accept(exact), paymentId: secondPayment })
      .then([accepted(exact), settledBy(exact)]))
  it('rejects an incoming payment for a payment that has failed', () =>
    given([...open, { type: 'PaymentAttemptFailed', data: { paymentId: firstPayment } }])
      .when(accept(exact))
      .rejects({ _tag: 'PaymentIdSpent', paymentId: firstPayment }))
  it('records nothing for an incoming payment of zero', () =>
    given(open)
      .when(accept(creditOf(0n)))
      .then([]))
  it('identifies an incoming payment by transaction and operation, not by transaction alone', () => {
    const half = creditOf(50_000_000n)
    const other = { ...half, operationIndex: decoded(OperationIndex, 1) }
    given([...open, accepted(half)])
      .when(accept(other))
      .then([accepted(other), settledBy(other, { received: stroops(price) })])
  })
  it('distinguishes incoming payments of one operation by their ordinal', () => {
    const half = creditOf(50_000_000n)
    const further = { ...half, ordinal: decoded(IncomingPaymentOrdinal, 1) }
    given([...open, accepted(half)])
      .when(accept(further))
      .then([accepted(further), settledBy(further, { received: stroops(price) })])
    given([...open, accepted(half), accepted(further)])
      .when(accept(further))
      .then([])
  })
  it('sets aside an incoming payment that would overflow the sum', () => {
    const first = creditOf(1n)
    const huge = creditOf(maximumStroops, 2)
    given([...open, accepted(first)])
      .when(accept(huge))
      .then([unapplied(huge, 'paid_twice')])
  })
  it('settles when the sum is exactly the largest possible amount', () => {
    const first = creditOf(1n)
    const huge = creditOf(maximumStroops - 1n, 2)
    given([...open, accepted(first)])
      .when(accept(huge))
      .then([
        accepted(huge),
        settledBy(huge, { received: stroops(maximumStroops), excess: stroops(maximumStroops - price) }),
      ])
  })
})

describe('an incoming payment that was seen before', () => {
  const part = creditOf(1n)
  it.each([
    { status: 'open', history: [...open, accepted(part)] },
    { status: 'set aside', history: [...open, unapplied(part, 'wrong_asset')] },
    { status: 'failed', history: [...open, accepted(part), failedUnderpaid] },
    { status: 'expired, set aside', history: [...open, expired, unapplied(part, 'late')] },
  ])('records nothing for an incoming payment seen before: $status', ({ history }) =>
    given(history).when(accept(part)).then([]),
  )
  it.each([settled, [...settled, completed]])(
    'records nothing for an incoming payment seen before the settlement',
    (...history) => given(history).when(accept(exact)).then([]),
  )
})

describe('the tolerance of a checkout', () => {
  const tolerant: CheckoutEvent = {
    type: 'CheckoutCreated',
    data: { ...sale, underpaymentTolerance: stroops(500n) },
  }
  it('counts a shortfall up to the tolerance as paid', () => {
    const credit = creditOf(price - 500n)
    given([tolerant, quoted])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('does not count a shortfall one stroop above the tolerance', () => {
    const credit = creditOf(price - 501n)
    given([tolerant, quoted])
      .when(accept(credit))
      .then([accepted(credit)])
  })
})

describe('the excess of a checkout', () => {
  // Kept up to max(1 % of the amount, 0.10 USD), returned above.
  it.each([
    { floor: 1_000_000n, excess: 0n, returned: false, rule: 'none' },
    { floor: 1_000_000n, excess: 1n, returned: false, rule: 'one stroop' },
    { floor: 0n, excess: 1_000_000n, returned: false, rule: 'exactly 1 %' },
    { floor: 0n, excess: 1_000_001n, returned: true, rule: '1 % and a stroop' },
    { floor: 3_000_000n, excess: 3_000_000n, returned: false, rule: 'exactly 0.10 USD, above 1 %' },
    { floor: 3_000_000n, excess: 3_000_001n, returned: true, rule: '0.10 USD and a stroop, above 1 %' },
    { floor: 999_999n, excess: 1_000_000n, returned: false, rule: 'exactly 1 %, above 0.10 USD' },
    { floor: null, excess: 1_000_000n, returned: false, rule: 'exactly 1 %, without a rate' },
    { floor: null, excess: 1_000_001n, returned: true, rule: '1 % and a stroop, without a rate' },
  ])('returns an excess of $rule: $returned', ({ floor, excess, returned }) => {
    const credit = creditOf(price + excess)
    const excessFloor = floor === null ? null : stroops(floor)
    given([created, { type: 'QuoteIssued', data: { ...quote, excessFloor } }])
      .when(accept(credit))
      .then([
        accepted(credit),
        settledBy(credit, {
          excess: stroops(returned ? excess : 0n),
          overpaid: stroops(returned ? 0n : excess),
        }),
      ])
  })
  it('judges an excess exactly when 1 % is not a whole number of stroops', () => {
    const odd: CheckoutEvent = { type: 'QuoteIssued', data: { ...quote, amount: stroops(199n), excessFloor: null } }
    const kept = creditOf(200n)
    const tooMuch = creditOf(201n)
    given([created, odd])
      .when(accept(kept))
      .then([accepted(kept), settledBy(kept, { amountDue: stroops(199n), overpaid: stroops(1n) })])
    given([created, odd])
      .when(accept(tooMuch))
      .then([accepted(tooMuch), settledBy(tooMuch, { amountDue: stroops(199n), excess: stroops(2n) })])
  })
})

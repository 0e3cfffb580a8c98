import { stroops } from '../shared/stroops.ts'
import { hourMs, minuteMs, positiveCount, secondMs } from '../shared/units.ts'
import {
  accept,
  accepted,
  after,
  created,
  creditOf,
  deadline,
  exact,
  expired,
  newQuote,
  quote,
  quoted,
  sale,
  settledBy,
} from '../testing/checkout-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutEvent } from './index.ts'

const { given } = scenario(Checkout.decider)
const open = [created, quoted]
const price = 100_000_000n

describe('the quote that judges an incoming payment', () => {
  const lower: CheckoutEvent = {
    type: 'QuoteIssued',
    data: {
      ...quote,
      ordinal: positiveCount(2),
      amount: stroops(90_000_000n),
      validFrom: after(15 * minuteMs),
      validUntil: after(30 * minuteMs),
    },
  }
  const higher: CheckoutEvent = {
    type: 'QuoteIssued',
    data: {
      ...quote,
      ordinal: positiveCount(2),
      amount: stroops(110_000_000n),
      validFrom: after(15 * minuteMs),
      validUntil: after(30 * minuteMs),
    },
  }
  it('judges by the lowest quote that is valid or ended at most two minutes before', () => {
    const credit = creditOf(price, 1, 17 * minuteMs)
    given([...open, higher])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('ignores a quote that ended more than two minutes before', () => {
    const credit = creditOf(price, 1, 17 * minuteMs + secondMs)
    given([...open, higher])
      .when(accept(credit))
      .then([accepted(credit)])
  })
  it('ignores a quote issued later', () => {
    const credit = creditOf(90_000_000n, 1, 15 * minuteMs - secondMs)
    given([...open, lower])
      .when(accept(credit))
      .then([accepted(credit)])
  })
  it('judges by the newer quote from its first second', () => {
    const credit = creditOf(90_000_000n, 1, 15 * minuteMs)
    given([...open, lower])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit, { amountDue: stroops(90_000_000n) })])
  })
  it('accepts a quote for the ledger of the second it was issued in, since ledgers close at whole seconds', () => {
    const credit = creditOf(price, 1, 3 * secondMs)
    given([created, { type: 'QuoteIssued', data: { ...quote, validFrom: after(3 * secondMs + 999) } }])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('asks for a quote at the ledger’s time when there is none', () => {
    const credit = creditOf(price, 1, 17 * minuteMs + secondMs)
    given(open).when(accept(credit)).rejects({ _tag: 'QuoteNeeded', at: credit.closedAt })
  })
  it('records the quote obtained for the incoming payment', () => {
    const credit = creditOf(price, 1, 20 * minuteMs)
    const requoted: CheckoutEvent = {
      type: 'QuoteIssued',
      data: {
        ...quote,
        ordinal: positiveCount(2),
        validFrom: credit.closedAt,
        validUntil: after(35 * minuteMs),
      },
    }
    given(open)
      .when({ ...accept(credit), requote: newQuote })
      .then([requoted, accepted(credit), settledBy(credit)])
  })
  it('ignores a requote while another quote can judge', () =>
    given(open)
      .when({ ...accept(exact), requote: { ...newQuote, amount: stroops(1n) } })
      .then([accepted(exact), settledBy(exact)]))
  it('ignores a requote that asks for nothing', () =>
    given([created])
      .when({ ...accept(exact), requote: { ...newQuote, amount: stroops(0n) } })
      .rejects({ _tag: 'QuoteNotPositive' }))
})

describe('a checkout price in the asset', () => {
  const priced: ReadonlyArray<CheckoutEvent> = [
    { type: 'CheckoutCreated', data: { ...sale, price: { _tag: 'asset', stroops: stroops(price) } } },
    { type: 'QuoteIssued', data: { ...quote, validUntil: deadline, excessFloor: null } },
  ]
  it.each([
    { when: 'in time', ms: 23 * hourMs, late: false },
    { when: '24 hours late', ms: 48 * hourMs, late: true },
  ])('needs no other quote: $when', ({ ms, late }) => {
    const credit = creditOf(price, 1, ms)
    given(late ? [...priced, expired] : priced)
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit, { late })])
  })
})

import { AssetId } from '../shared/asset.ts'
import { type Credit, OperationIndex } from '../shared/credit.ts'
import { noMetadata } from '../shared/metadata.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { hourMs, minuteMs, positiveCount, secondMs } from '../shared/units.ts'
import { accountOf } from '../testing/account.ts'
import {
  accepted,
  after,
  completed,
  created,
  creditOf,
  deadline,
  exact,
  expired,
  failedUnderpaid,
  firstPayment,
  newQuote,
  quote,
  quoted,
  sale,
  secondPayment,
  settled,
  settledBy,
  submitted,
} from '../testing/checkout-examples.ts'
import { decoded, eurc, hashOf, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import type { AcceptCredit } from './commands.ts'
import { Checkout, type CheckoutEvent, type SetAsideReason } from './index.ts'

const { given } = scenario(Checkout.decider)
const accept = (credit: Credit): AcceptCredit => ({
  type: 'AcceptCredit',
  credit,
  paymentId: firstPayment,
  requote: null,
})
const aside = (credit: Credit, reason: SetAsideReason): CheckoutEvent => ({
  type: 'CreditSetAside',
  data: { credit, reason },
})
const open = [created, quoted]
const price = 100_000_000n

describe('a credit in time', () => {
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
  it('counts however small, and the next may settle', () => {
    const first = creditOf(price - 1n)
    const rest = creditOf(1n, 2)
    given([...open, accepted(first)])
      .when({ ...accept(rest), paymentId: secondPayment })
      .then([accepted(rest), settledBy(rest, { received: stroops(price) })])
  })
  it('belongs to the payment its transaction was submitted for', () =>
    given([...open, submitted])
      .when({ ...accept(exact), paymentId: secondPayment })
      .then([accepted(exact), settledBy(exact)]))
  it('is rejected for a payment that has failed', () =>
    given([...open, { type: 'PaymentAttemptFailed', data: { paymentId: firstPayment } }])
      .when(accept(exact))
      .rejects({ _tag: 'PaymentIdSpent', paymentId: firstPayment }))
  it('of nothing changes nothing', () =>
    given(open)
      .when(accept(creditOf(0n)))
      .then([]))
  it('is recognised by transaction and operation, not by transaction alone', () => {
    const half = creditOf(50_000_000n)
    const other = { ...half, operationIndex: decoded(OperationIndex, 1) }
    given([...open, accepted(half)])
      .when(accept(other))
      .then([accepted(other), settledBy(other, { received: stroops(price) })])
  })
  it('too large to be added up is set aside', () => {
    const first = creditOf(1n)
    const huge = creditOf(maximumStroops, 2)
    given([...open, accepted(first)])
      .when(accept(huge))
      .then([aside(huge, 'paid_twice')])
  })
  it('so large that the sum is the largest there is still settles', () => {
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

describe('a credit that was seen', () => {
  const part = creditOf(1n)
  it.each([
    { status: 'open', history: [...open, accepted(part)] },
    { status: 'set aside', history: [...open, aside(part, 'wrong_asset')] },
    { status: 'failed', history: [...open, accepted(part), failedUnderpaid] },
    { status: 'expired, set aside', history: [...open, expired, aside(part, 'late')] },
  ])('changes nothing: $status', ({ history }) => given(history).when(accept(part)).then([]))
  it.each([settled, [...settled, completed]])('changes nothing after the settlement', (...history) =>
    given(history).when(accept(exact)).then([]),
  )
})

describe('the tolerance', () => {
  const tolerant: CheckoutEvent = {
    type: 'CheckoutCreated',
    data: { ...sale, underpaymentTolerance: stroops(500n) },
  }
  it('counts a shortfall up to it as paid', () => {
    const credit = creditOf(price - 500n)
    given([tolerant, quoted])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('does not count one stroop more', () => {
    const credit = creditOf(price - 501n)
    given([tolerant, quoted])
      .when(accept(credit))
      .then([accepted(credit)])
  })
})

describe('an excess', () => {
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
  ])('of $rule is returned: $returned', ({ floor, excess, returned }) => {
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
  it('is judged exactly where 1 % is no whole number of stroops', () => {
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

describe('the quote that judges', () => {
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
  it('is the lowest that is valid or ended at most two minutes before', () => {
    const credit = creditOf(price, 1, 17 * minuteMs)
    given([...open, higher])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('is not one that ended more than two minutes before', () => {
    const credit = creditOf(price, 1, 17 * minuteMs + secondMs)
    given([...open, higher])
      .when(accept(credit))
      .then([accepted(credit)])
  })
  it('is not one that is issued later', () => {
    const credit = creditOf(90_000_000n, 1, 15 * minuteMs - secondMs)
    given([...open, lower])
      .when(accept(credit))
      .then([accepted(credit)])
  })
  it('is the newer one from its first second', () => {
    const credit = creditOf(90_000_000n, 1, 15 * minuteMs)
    given([...open, lower])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit, { amountDue: stroops(90_000_000n) })])
  })
  it('is valid for the ledger of the second it was issued in, since ledgers close at whole seconds', () => {
    const credit = creditOf(price, 1, 3 * secondMs)
    given([created, { type: 'QuoteIssued', data: { ...quote, validFrom: after(3 * secondMs + 999) } }])
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit)])
  })
  it('is asked for at the ledger’s time when there is none', () => {
    const credit = creditOf(price, 1, 17 * minuteMs + secondMs)
    given(open).when(accept(credit)).rejects({ _tag: 'QuoteNeeded', at: credit.closedAt })
  })
  it('is recorded when it was obtained for the credit', () => {
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
  it('is not a requote as long as another can judge', () =>
    given(open)
      .when({ ...accept(exact), requote: { ...newQuote, amount: stroops(1n) } })
      .then([accepted(exact), settledBy(exact)]))
  it('is not a requote that asks for nothing', () =>
    given([created])
      .when({ ...accept(exact), requote: { ...newQuote, amount: stroops(0n) } })
      .rejects({ _tag: 'QuoteNotPositive' }))
})

describe('a price in the asset', () => {
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

describe('a credit in another asset', () => {
  const wrong: Credit = { ...exact, assetId: eurc }
  const impostor: Credit = { ...exact, assetId: decoded(AssetId, `USDC:${accountOf(9)}`) }
  it('is set aside and leaves the session open', () =>
    given(open)
      .when(accept(wrong))
      .then([aside(wrong, 'wrong_asset')]))
  it('is one with the same code and another issuer', () =>
    given(open)
      .when(accept(impostor))
      .then([aside(impostor, 'wrong_asset')]))
  it.each([
    { status: 'settled', history: settled },
    { status: 'expired', history: [created, expired] },
    { status: 'failed', history: [...open, accepted(creditOf(1n, 5)), failedUnderpaid] },
  ])('is called so whatever became of the session: $status', ({ history }) => {
    const credit = { ...wrong, transactionHash: hashOf(8) }
    given(history)
      .when(accept(credit))
      .then([aside(credit, 'wrong_asset')])
  })
})

describe('a credit for a sale that is paid', () => {
  const again = creditOf(price, 2)
  it.each([
    { status: 'settled', history: settled },
    { status: 'completed', history: [...settled, completed] },
  ])('is set aside: $status', ({ history }) =>
    given(history)
      .when(accept(again))
      .then([aside(again, 'paid_twice')]),
  )
})

describe('the deadline, by the ledger’s close time', () => {
  const lastSecond = creditOf(price, 1, 24 * hourMs - secondMs)
  const atDeadline = creditOf(price, 1, 24 * hourMs)
  const nearEnd: CheckoutEvent = {
    type: 'QuoteIssued',
    data: { ...quote, validFrom: after(24 * hourMs - 5 * minuteMs), validUntil: deadline },
  }
  it('lets a credit count that closed a second before it', () =>
    given([created, nearEnd])
      .when(accept(lastSecond))
      .then([accepted(lastSecond), settledBy(lastSecond)]))
  it('ends an overdue session before a credit that closed at it', () =>
    given([created, nearEnd])
      .when(accept(atDeadline))
      .then([expired, accepted(atDeadline), settledBy(atDeadline, { late: true })]))
  it('fails an overdue session that got too little before', () => {
    const part = creditOf(price - 1n, 5)
    given([...open, accepted(part)])
      .when(accept(atDeadline))
      .then([failedUnderpaid, aside(atDeadline, 'after_failure')])
  })
  it('asks for a quote for a late credit before it ends anything', () =>
    given(open).when(accept(atDeadline)).rejects({ _tag: 'QuoteNeeded', at: deadline }))
})

describe('a late credit', () => {
  const ended = [created, quoted, expired]
  const requote = newQuote
  const requoted = (credit: Credit): CheckoutEvent => ({
    type: 'QuoteIssued',
    data: {
      ...quote,
      ordinal: positiveCount(2),
      validFrom: credit.closedAt,
      validUntil: after(credit.closedAt - start + 15 * minuteMs),
    },
  })
  const inLastMoment = creditOf(price, 1, 48 * hourMs)

  it('completes an expired session 24 hours late, when it covers the price of that day', () =>
    given(ended)
      .when({ ...accept(inLastMoment), requote })
      .then([requoted(inLastMoment), accepted(inLastMoment), settledBy(inLastMoment, { late: true })]))
  it('is set aside a second later, and needs no quote', () => {
    const credit = creditOf(price, 1, 48 * hourMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([aside(credit, 'late')])
  })
  it('needs a quote of its own time', () =>
    given(ended).when(accept(inLastMoment)).rejects({ _tag: 'QuoteNeeded', at: inLastMoment.closedAt }))
  it('is set aside one stroop short, and its quote recorded', () => {
    const credit = creditOf(price - 1n, 1, 25 * hourMs)
    given(ended)
      .when({ ...accept(credit), requote })
      .then([requoted(credit), aside(credit, 'late')])
  })
  it('has to cover the price alone: what was set aside does not help', () => {
    const first = creditOf(price - 1n, 1, 25 * hourMs)
    const second = creditOf(1n, 2, 25 * hourMs)
    given([...ended, requoted(first), aside(first, 'late')])
      .when(accept(second))
      .then([aside(second, 'late')])
  })
  it('may be short by the tolerance', () => {
    const credit = creditOf(price - 500n, 1, 25 * hourMs)
    given([
      { type: 'CheckoutCreated', data: { ...sale, underpaymentTolerance: stroops(500n), metadata: noMetadata } },
      expired,
    ])
      .when({ ...accept(credit), requote })
      .then([
        {
          type: 'QuoteIssued',
          data: { ...quote, validFrom: credit.closedAt, validUntil: after(25 * hourMs + 15 * minuteMs) },
        },
        accepted(credit),
        settledBy(credit, { late: true }),
      ])
  })
  it('returns an excess like any other', () => {
    const credit = creditOf(price + 1_000_001n, 1, 25 * hourMs)
    given(ended)
      .when({ ...accept(credit), requote })
      .then([requoted(credit), accepted(credit), settledBy(credit, { late: true, excess: stroops(1_000_001n) })])
  })
  it('is set aside after a failure, in time or not', () => {
    const credit = creditOf(price, 1, 25 * hourMs)
    given([...open, accepted(creditOf(1n, 5)), failedUnderpaid])
      .when(accept(credit))
      .then([aside(credit, 'after_failure')])
  })
})

describe('a session that the merchant ended', () => {
  const endedByMerchant: CheckoutEvent = { type: 'CheckoutExpired', data: { endedAt: after(2 * minuteMs) } }
  const ended = [created, quoted, endedByMerchant]

  it('is completed by a credit that came in time but was read later', () =>
    given(ended)
      .when(accept(exact))
      .then([accepted(exact), settledBy(exact)]))
  it('is completed late by a credit that closed when it ended', () => {
    const credit = creditOf(price, 1, 2 * minuteMs)
    given(ended)
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit, { late: true })])
  })
  it('takes no part of the price', () => {
    const credit = creditOf(price - 1n)
    given(ended)
      .when(accept(credit))
      .then([aside(credit, 'late')])
  })
  it('counts the 24 hours from its own end', () => {
    const credit = creditOf(price, 1, 24 * hourMs + 2 * minuteMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([aside(credit, 'late')])
  })
})

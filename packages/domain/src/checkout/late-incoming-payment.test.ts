import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { noMetadata } from '../shared/metadata.ts'
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
  failedUnderpaid,
  newQuote,
  quote,
  quoted,
  sale,
  settledBy,
  unapplied,
} from '../testing/checkout-examples.ts'
import { eurc, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutEvent } from './index.ts'

const { given } = scenario(Checkout.decider)
const open = [created, quoted]
const price = 100_000_000n

describe('the deadline of a checkout, by the ledger’s close time', () => {
  const lastSecond = creditOf(price, 1, 24 * hourMs - secondMs)
  const atDeadline = creditOf(price, 1, 24 * hourMs)
  const nearEnd: CheckoutEvent = {
    type: 'QuoteIssued',
    data: { ...quote, validFrom: after(24 * hourMs - 5 * minuteMs), validUntil: deadline },
  }
  it('counts an incoming payment that closed a second before the deadline', () =>
    given([created, nearEnd])
      .when(accept(lastSecond))
      .then([accepted(lastSecond), settledBy(lastSecond)]))
  it('ends an overdue session before an incoming payment that closed at the deadline', () =>
    given([created, nearEnd])
      .when(accept(atDeadline))
      .then([expired, accepted(atDeadline), settledBy(atDeadline, { late: true })]))
  it('fails an overdue session that was underpaid before the deadline', () => {
    const part = creditOf(price - 1n, 5)
    given([...open, accepted(part)])
      .when(accept(atDeadline))
      .then([failedUnderpaid, unapplied(atDeadline, 'after_failure')])
  })
  it('fails a session for another asset that closed a second before the deadline', () => {
    const other = { ...creditOf(1n, 5, 24 * hourMs - secondMs), assetId: eurc }
    const failed: CheckoutEvent = {
      type: 'CheckoutFailed',
      data: { reason: 'wrong_asset', paymentId: null, endedAt: deadline },
    }
    given([created, nearEnd])
      .when(accept(other))
      .then([unapplied(other, 'wrong_asset')])
    given([created, nearEnd, unapplied(other, 'wrong_asset')])
      .when(accept(atDeadline))
      .then([failed, unapplied(atDeadline, 'after_failure')])
  })
  it('expires an overdue session before it sets aside another asset that closed at the deadline', () => {
    const other = { ...creditOf(1n, 5, 24 * hourMs), assetId: eurc }
    given([created, nearEnd])
      .when(accept(other))
      .then([expired, unapplied(other, 'wrong_asset')])
  })
  it('still takes a late payment after another asset that came late', () => {
    const other = { ...creditOf(1n, 5, 24 * hourMs), assetId: eurc }
    const history = [created, nearEnd, expired, unapplied(other, 'wrong_asset')]
    given(history)
      .when(accept(atDeadline))
      .then([accepted(atDeadline), settledBy(atDeadline, { late: true })])
  })
  it('fails an overdue, underpaid session before another asset that came late', () => {
    const other = { ...creditOf(1n, 6, 24 * hourMs), assetId: eurc }
    given([...open, accepted(creditOf(price - 1n, 5))])
      .when(accept(other))
      .then([failedUnderpaid, unapplied(other, 'wrong_asset')])
  })
  it('asks for a quote for a late payment before it ends anything', () =>
    given(open).when(accept(atDeadline)).rejects({ _tag: 'QuoteNeeded', at: deadline }))
})

describe('a late incoming payment', () => {
  const ended = [created, quoted, expired]
  const requote = newQuote
  const requoted = (credit: IncomingPayment): CheckoutEvent => ({
    type: 'QuoteIssued',
    data: {
      ...quote,
      ordinal: positiveCount(2),
      validFrom: credit.closedAt,
      validUntil: after(credit.closedAt - start + 15 * minuteMs),
    },
  })
  const inLastMoment = creditOf(price, 1, 48 * hourMs)

  it('completes an expired session with a payment 24 hours late that covers that day’s price', () =>
    given(ended)
      .when({ ...accept(inLastMoment), requote })
      .then([requoted(inLastMoment), accepted(inLastMoment), settledBy(inLastMoment, { late: true })]))
  it('sets a payment aside a second after the 24 hours, without a quote', () => {
    const credit = creditOf(price, 1, 48 * hourMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([unapplied(credit, 'late')])
  })
  it('sets aside a late sum of several payments, though together they cover the price', () => {
    const summed: IncomingPayment = {
      ...creditOf(price, 1, 25 * hourMs),
      sum: { count: positiveCount(2), largest: stroops(price - 1n), senders: 'one' },
    }
    given(ended)
      .when(accept(summed))
      .then([unapplied(summed, 'late')])
  })
  it('asks for a quote at the time of the late payment', () =>
    given(ended).when(accept(inLastMoment)).rejects({ _tag: 'QuoteNeeded', at: inLastMoment.closedAt }))
  it('sets a late payment aside that is one stroop short, and records its quote', () => {
    const credit = creditOf(price - 1n, 1, 25 * hourMs)
    given(ended)
      .when({ ...accept(credit), requote })
      .then([requoted(credit), unapplied(credit, 'late')])
  })
  it('does not add money set aside before to a late payment', () => {
    const first = creditOf(price - 1n, 1, 25 * hourMs)
    const second = creditOf(1n, 2, 25 * hourMs)
    given([...ended, requoted(first), unapplied(first, 'late')])
      .when(accept(second))
      .then([unapplied(second, 'late')])
  })
  it('accepts a late payment short by the tolerance', () => {
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
  it('returns the excess of a late payment', () => {
    const credit = creditOf(price + 1_000_001n, 1, 25 * hourMs)
    given(ended)
      .when({ ...accept(credit), requote })
      .then([requoted(credit), accepted(credit), settledBy(credit, { late: true, excess: stroops(1_000_001n) })])
  })
  it('sets every payment aside after a failure, in time or not', () => {
    const credit = creditOf(price, 1, 25 * hourMs)
    given([...open, accepted(creditOf(1n, 5)), failedUnderpaid])
      .when(accept(credit))
      .then([unapplied(credit, 'after_failure')])
  })
})

describe('payments for a session that the merchant ended', () => {
  const endedByMerchant: CheckoutEvent = { type: 'CheckoutExpired', data: { endedAt: after(2 * minuteMs) } }
  const ended = [created, quoted, endedByMerchant]

  it('completes a session ended by the merchant with a payment that came in time but was read later', () =>
    given(ended)
      .when(accept(exact))
      .then([accepted(exact), settledBy(exact)]))
  it('completes a session ended by the merchant late, with a payment that closed at its end', () => {
    const credit = creditOf(price, 1, 2 * minuteMs)
    given(ended)
      .when(accept(credit))
      .then([accepted(credit), settledBy(credit, { late: true })])
  })
  it('sets a partial payment aside once the merchant ended the session', () => {
    const credit = creditOf(price - 1n)
    given(ended)
      .when(accept(credit))
      .then([unapplied(credit, 'late')])
  })
  it('counts the 24 hours from the moment the merchant ended the session', () => {
    const credit = creditOf(price, 1, 24 * hourMs + 2 * minuteMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([unapplied(credit, 'late')])
  })
})

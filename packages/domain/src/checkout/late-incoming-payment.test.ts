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
      .then([failedUnderpaid, unapplied(atDeadline, 'after_failure')])
  })
  it('fails a session for another asset that closed a second before it', () => {
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
  it('expires an overdue session before another asset that closed at it is set aside', () => {
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
  it('fails an overdue session that got too little before another asset that came late', () => {
    const other = { ...creditOf(1n, 6, 24 * hourMs), assetId: eurc }
    given([...open, accepted(creditOf(price - 1n, 5))])
      .when(accept(other))
      .then([failedUnderpaid, unapplied(other, 'wrong_asset')])
  })
  it('asks for a quote for a late credit before it ends anything', () =>
    given(open).when(accept(atDeadline)).rejects({ _tag: 'QuoteNeeded', at: deadline }))
})

describe('a late credit', () => {
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

  it('completes an expired session 24 hours late, when it covers the price of that day', () =>
    given(ended)
      .when({ ...accept(inLastMoment), requote })
      .then([requoted(inLastMoment), accepted(inLastMoment), settledBy(inLastMoment, { late: true })]))
  it('is set aside a second later, and needs no quote', () => {
    const credit = creditOf(price, 1, 48 * hourMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([unapplied(credit, 'late')])
  })
  it('needs a quote of its own time', () =>
    given(ended).when(accept(inLastMoment)).rejects({ _tag: 'QuoteNeeded', at: inLastMoment.closedAt }))
  it('is set aside one stroop short, and its quote recorded', () => {
    const credit = creditOf(price - 1n, 1, 25 * hourMs)
    given(ended)
      .when({ ...accept(credit), requote })
      .then([requoted(credit), unapplied(credit, 'late')])
  })
  it('has to cover the price alone: what was set aside does not help', () => {
    const first = creditOf(price - 1n, 1, 25 * hourMs)
    const second = creditOf(1n, 2, 25 * hourMs)
    given([...ended, requoted(first), unapplied(first, 'late')])
      .when(accept(second))
      .then([unapplied(second, 'late')])
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
      .then([unapplied(credit, 'after_failure')])
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
      .then([unapplied(credit, 'late')])
  })
  it('counts the 24 hours from its own end', () => {
    const credit = creditOf(price, 1, 24 * hourMs + 2 * minuteMs + secondMs)
    given(ended)
      .when(accept(credit))
      .then([unapplied(credit, 'late')])
  })
})

import { minuteMs } from '../shared/units.ts'
import {
  accepted,
  after,
  attemptFailed,
  closed,
  created,
  creditOf,
  deadline,
  died,
  expired,
  firstPayment,
  quoted,
  secondPayment,
  submitted,
} from '../testing/checkout-examples.ts'
import { hashOf, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent } from './index.ts'

const { given } = scenario(Checkout.decider)
const submit: CheckoutCommand = {
  type: 'SubmitTransaction',
  at: start,
  transactionHash: hashOf(1),
  maxTime: after(5 * minuteMs),
  paymentId: firstPayment,
}

const part = creditOf(40_000_000n)
const partlyPaid: ReadonlyArray<CheckoutEvent> = [created, quoted, accepted(part)]

describe('submitting a transaction', () => {
  it('submitting a transaction opens a payment', () => given([created, quoted]).when(submit).then([submitted]))
  it('records nothing when the submission is repeated', () => given([created, quoted, submitted]).when(submit).then([]))
  it.each([
    ['', part],
    [', inside the fee bump of somebody else', { ...part, transactionHash: hashOf(3), innerHash: hashOf(1) }],
  ])('records nothing when its incoming payment was seen first%s', (_, credit) =>
    given([created, quoted, accepted(credit)])
      .when(submit)
      .then([]),
  )
  it('assigns a transaction to the open payment', () =>
    given(partlyPaid)
      .when({ ...submit, transactionHash: hashOf(2), paymentId: secondPayment })
      .then([
        {
          type: 'TransactionSubmitted',
          data: { transactionHash: hashOf(2), maxTime: after(5 * minuteMs), paymentId: firstPayment },
        },
      ]))
  it('opens a new payment after a failed attempt', () =>
    given([created, quoted, submitted, died, attemptFailed])
      .when({ ...submit, transactionHash: hashOf(2), paymentId: secondPayment })
      .then([
        {
          type: 'TransactionSubmitted',
          data: { transactionHash: hashOf(2), maxTime: after(5 * minuteMs), paymentId: secondPayment },
        },
      ]))
  it('rejects a transaction for a payment that has failed', () =>
    given([created, quoted, submitted, died, attemptFailed])
      .when({ ...submit, transactionHash: hashOf(2) })
      .rejects({ _tag: 'PaymentIdSpent', paymentId: firstPayment }))
  it('accepts a transaction a millisecond before the deadline', () =>
    given([created, quoted])
      .when({ ...submit, at: after(deadline - start - 1) })
      .then([submitted]))
  it('rejects a transaction at the deadline', () =>
    given([created, quoted])
      .when({ ...submit, at: deadline })
      .rejects({ _tag: 'DeadlinePassed', expiresAt: deadline }))
  it.each(closed)('rejects a transaction when the session is $status', ({ history, rejection }) =>
    given(history)
      .when({ ...submit, transactionHash: hashOf(9) })
      .rejects(rejection),
  )
})

describe('a transaction that brings nothing', () => {
  const dies: CheckoutCommand = { type: 'RecordDeadTransaction', transactionHash: hashOf(1) }
  const another: CheckoutEvent = {
    type: 'TransactionSubmitted',
    data: { transactionHash: hashOf(2), maxTime: after(5 * minuteMs), paymentId: firstPayment },
  }
  it('fails the attempt of a dead transaction and leaves the session open', () =>
    given([created, quoted, submitted]).when(dies).then([died, attemptFailed]))
  it('records a dead transaction once', () =>
    given([created, quoted, submitted, died, attemptFailed]).when(dies).then([]))
  it('does not fail an attempt with another transaction on its way', () =>
    given([created, quoted, submitted, another]).when(dies).then([died]))
  it('fails the attempt when the other one is dead already', () =>
    given([created, quoted, submitted, another, { type: 'TransactionDied', data: { transactionHash: hashOf(2) } }])
      .when(dies)
      .then([died, attemptFailed]))
  it('does not fail an attempt that something else was received for', () =>
    given([created, quoted, submitted, accepted(creditOf(40_000_000n, 3))])
      .when(dies)
      .then([died]))
  it('fails the attempt also after the session has expired', () =>
    given([created, quoted, submitted, expired]).when(dies).then([died, attemptFailed]))
  it('is rejected when it is unknown', () =>
    given([created, quoted])
      .when(dies)
      .rejects({ _tag: 'TransactionUnknown', transactionHash: hashOf(1) }))
  it.each([
    ['by itself', part],
    ['inside the fee bump of somebody else', { ...creditOf(40_000_000n, 3), innerHash: hashOf(1) }],
  ])('is rejected when it brought something %s', (_, credit) =>
    given([created, quoted, submitted, accepted(credit)])
      .when(dies)
      .rejects({ _tag: 'TransactionHasCredit', transactionHash: hashOf(1) }),
  )
})

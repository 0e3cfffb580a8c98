import { CustomerId, PaymentId, ProductId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { minuteMs, positiveCount, secondMs } from '../shared/units.ts'
import {
  accepted,
  after,
  attemptFailed,
  completed,
  created,
  creditOf,
  deadline,
  died,
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
import { eurc, exampleId, hashOf, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent, type CheckoutRejection, quoteLifetimeMs } from './index.ts'

const { given } = scenario(Checkout.decider)
const { expiresAt: _, ...asked } = sale
const create: CheckoutCommand = { type: 'CreateCheckout', at: start, ...asked }
const ada = exampleId(CustomerId, 1)
const attach: CheckoutCommand = { type: 'AttachCustomer', customerId: ada }
const submit: CheckoutCommand = {
  type: 'SubmitTransaction',
  at: start,
  transactionHash: hashOf(1),
  maxTime: after(5 * minuteMs),
  paymentId: firstPayment,
}
const complete: CheckoutCommand = { type: 'CompleteCheckout', paymentId: firstPayment }
const endAtDeadline: CheckoutCommand = { type: 'EndSession', at: deadline, cause: 'deadline' }
const endEarly: CheckoutCommand = { type: 'EndSession', at: after(minuteMs), cause: 'merchant' }
const issue: CheckoutCommand = { type: 'IssueQuote', at: start, quote: newQuote }
const failSession: CheckoutCommand = { type: 'FailSession', at: start, reason: 'product_unavailable' }

const part = creditOf(40_000_000n)
const partlyPaid: ReadonlyArray<CheckoutEvent> = [created, quoted, accepted(part)]
const wrongAsset: CheckoutEvent = {
  type: 'CreditSetAside',
  data: { credit: { ...exact, assetId: eurc }, reason: 'wrong_asset' },
}

/** Sessions that are not open any more, and what they answer to a command that only an open one takes. */
const closed: ReadonlyArray<{ status: string; history: ReadonlyArray<CheckoutEvent>; rejection: CheckoutRejection }> = [
  { status: 'settled', history: settled, rejection: { _tag: 'CompletionUnderWay', paymentId: firstPayment } },
  {
    status: 'completed',
    history: [...settled, completed],
    rejection: { _tag: 'CheckoutIsCompleted', paymentId: firstPayment },
  },
  { status: 'expired', history: [created, expired], rejection: { _tag: 'CheckoutIsExpired', endedAt: deadline } },
  {
    status: 'failed',
    history: [...partlyPaid, failedUnderpaid],
    rejection: { _tag: 'CheckoutIsFailed', reason: 'underpaid' },
  },
]

describe('creating a checkout', () => {
  it('opens a session for 24 hours', () => given([]).when(create).then([created]))
  it('quotes a price in the asset at once, until the deadline', () => {
    const price = { _tag: 'asset', stroops: stroops(70_000_000n) } as const
    const only = { ...quote, amount: stroops(70_000_000n), validUntil: deadline, excessFloor: null }
    given([])
      .when({ ...create, price })
      .then([
        { type: 'CheckoutCreated', data: { ...sale, price } },
        { type: 'QuoteIssued', data: only },
      ])
  })
  it('copies product and price version', () => {
    const product = { kind: 'product', productId: exampleId(ProductId, 1), priceVersion: positiveCount(2) } as const
    given([])
      .when({ ...create, ...product })
      .then([{ type: 'CheckoutCreated', data: { ...sale, ...product } }])
  })
  it('records nothing when repeated, whatever has come since', () => given(settled).when(create).then([]))
  it('is rejected for an id that has another sale', () =>
    given([created])
      .when({ ...create, customerId: ada })
      .rejects({ _tag: 'CheckoutAlreadyExists' }))
  it.each([
    { kind: 'product', productId: null, priceVersion: null },
    { kind: 'product', productId: exampleId(ProductId, 1), priceVersion: null },
    { kind: 'direct', productId: exampleId(ProductId, 1), priceVersion: null },
    { kind: 'direct', productId: null, priceVersion: positiveCount(1) },
  ] as const)('is rejected when kind and product disagree: %j', (mixed) =>
    given([])
      .when({ ...create, ...mixed })
      .rejects({ _tag: 'ProductMismatch' }),
  )
  it('is rejected for an asset price of nothing', () =>
    given([])
      .when({ ...create, price: { _tag: 'asset', stroops: stroops(0n) } })
      .rejects({ _tag: 'PriceNotPositive' }))
})

describe('a quote', () => {
  it('holds 15 minutes for a pegged asset', () => given([created]).when(issue).then([quoted]))
  it('holds 5 minutes for another', () =>
    given([created])
      .when({ ...issue, quote: { ...newQuote, pegged: false } })
      .then([{ type: 'QuoteIssued', data: { ...quote, validUntil: after(5 * minuteMs) } }]))
  it('is not renewed a millisecond before it ends', () =>
    given([created, quoted])
      .when({ ...issue, at: after(quoteLifetimeMs(true) - 1) })
      .then([]))
  it('is renewed when it ends, and counts on', () => {
    const at = after(quoteLifetimeMs(true))
    const second = { ...quote, ordinal: positiveCount(2), validFrom: at, validUntil: after(30 * minuteMs) }
    given([created, quoted])
      .when({ ...issue, at })
      .then([{ type: 'QuoteIssued', data: second }])
  })
  it('ends with the session', () =>
    given([created])
      .when({ ...issue, at: after(deadline - start - 1) })
      .then([
        { type: 'QuoteIssued', data: { ...quote, validFrom: after(deadline - start - 1), validUntil: deadline } },
      ]))
  it('is rejected from the deadline on', () =>
    given([created])
      .when({ ...issue, at: deadline })
      .rejects({ _tag: 'DeadlinePassed', expiresAt: deadline }))
  it('is rejected when it asks for nothing', () =>
    given([created])
      .when({ ...issue, quote: { ...newQuote, amount: stroops(0n) } })
      .rejects({ _tag: 'QuoteNotPositive' }))
  it('is not needed for a price in the asset', () =>
    given([{ type: 'CheckoutCreated', data: { ...sale, price: { _tag: 'asset', stroops: stroops(5n) } } }])
      .when(issue)
      .then([]))
  it.each(closed)('is rejected when the session is $status', ({ history, rejection }) =>
    given(history).when(issue).rejects(rejection),
  )
})

describe('attaching a customer', () => {
  const attached: CheckoutEvent = { type: 'CustomerAttached', data: { customerId: ada } }
  it('gives a guest a name', () => given([created]).when(attach).then([attached]))
  it('records nothing when repeated', () => given([created, attached]).when(attach).then([]))
  it('records nothing for the customer it was created with', () =>
    given([{ type: 'CheckoutCreated', data: { ...sale, customerId: ada } }])
      .when(attach)
      .then([]))
  it('is rejected when another is attached', () =>
    given([created, attached])
      .when({ type: 'AttachCustomer', customerId: exampleId(CustomerId, 2) })
      .rejects({ _tag: 'CustomerAlreadyAttached', customerId: ada }))
  it('is rejected once something was received', () =>
    given(partlyPaid).when(attach).rejects({ _tag: 'PaymentAlreadyBegun', paymentId: firstPayment }))
  it('is rejected while a transaction is on its way', () =>
    given([created, quoted, submitted]).when(attach).rejects({ _tag: 'PaymentAlreadyBegun', paymentId: firstPayment }))
  it('is possible after an attempt that brought nothing', () =>
    given([created, quoted, submitted, died, attemptFailed]).when(attach).then([attached]))
  it('is possible after a credit in another asset', () => given([created, wrongAsset]).when(attach).then([attached]))
  it.each(closed)('is rejected when the session is $status', ({ history, rejection }) =>
    given(history).when(attach).rejects(rejection),
  )
})

describe('submitting a transaction', () => {
  it('opens a payment', () => given([created, quoted]).when(submit).then([submitted]))
  it('records nothing when repeated', () => given([created, quoted, submitted]).when(submit).then([]))
  it('records nothing when its credit was seen first', () => given(partlyPaid).when(submit).then([]))
  it('belongs to the payment that is open', () =>
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
  it('is rejected for a payment that has failed', () =>
    given([created, quoted, submitted, died, attemptFailed])
      .when({ ...submit, transactionHash: hashOf(2) })
      .rejects({ _tag: 'PaymentIdSpent', paymentId: firstPayment }))
  it('is taken a millisecond before the deadline', () =>
    given([created, quoted])
      .when({ ...submit, at: after(deadline - start - 1) })
      .then([submitted]))
  it('is rejected at the deadline', () =>
    given([created, quoted])
      .when({ ...submit, at: deadline })
      .rejects({ _tag: 'DeadlinePassed', expiresAt: deadline }))
  it.each(closed)('is rejected when the session is $status', ({ history, rejection }) =>
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
  it('fails the attempt and leaves the session open', () =>
    given([created, quoted, submitted]).when(dies).then([died, attemptFailed]))
  it('is recorded once', () => given([created, quoted, submitted, died, attemptFailed]).when(dies).then([]))
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
  it('is rejected when it brought something', () =>
    given([created, quoted, submitted, accepted(part)])
      .when(dies)
      .rejects({ _tag: 'TransactionHasCredit', transactionHash: hashOf(1) }))
})

describe('completing a checkout', () => {
  it('is the last step, at the close time of the ledger that covered the price', () =>
    given(settled).when(complete).then([completed]))
  it('records nothing when repeated', () =>
    given([...settled, completed])
      .when(complete)
      .then([]))
  it.each([settled, [...settled, completed]])('is rejected for another payment', (...history) =>
    given(history)
      .when({ type: 'CompleteCheckout', paymentId: secondPayment })
      .rejects({ _tag: 'OtherPayment', paymentId: firstPayment }),
  )
  it('is rejected before the price is covered', () =>
    given(partlyPaid).when(complete).rejects({ _tag: 'CheckoutNotSettled' }))
  it.each(closed.slice(2))('is rejected when the session is $status', ({ history, rejection }) =>
    given(history).when(complete).rejects(rejection),
  )
})

describe('the deadline', () => {
  it('expires a session to which nothing came', () => given([created, quoted]).when(endAtDeadline).then([expired]))
  it('counts as the end also when the follower is past it', () =>
    given([created, quoted])
      .when({ ...endAtDeadline, at: after(deadline - start + minuteMs) })
      .then([expired]))
  it('fails a session that got too little', () => given(partlyPaid).when(endAtDeadline).then([failedUnderpaid]))
  it('fails a session that got only another asset', () =>
    given([created, quoted, wrongAsset])
      .when(endAtDeadline)
      .then([{ type: 'CheckoutFailed', data: { reason: 'wrong_asset', paymentId: null, endedAt: deadline } }]))
  it('is called underpaid when another asset came besides', () =>
    given([...partlyPaid, wrongAsset])
      .when(endAtDeadline)
      .then([failedUnderpaid]))
  it('is rejected a millisecond early', () =>
    given([created])
      .when({ ...endAtDeadline, at: after(deadline - start - 1) })
      .rejects({ _tag: 'DeadlineNotReached', expiresAt: deadline }))
  it.each(closed.slice(0, 2))('is rejected when the session is $status', ({ history, rejection }) =>
    given(history).when(endAtDeadline).rejects(rejection),
  )
  it.each(closed.slice(2))('changes nothing when the session is $status', ({ history }) =>
    given(history).when(endAtDeadline).then([]),
  )

  const maxTime = after(deadline - start + minuteMs)
  const inFlight: CheckoutEvent = {
    type: 'TransactionSubmitted',
    data: { transactionHash: hashOf(7), maxTime, paymentId: firstPayment },
  }
  it('waits for a transaction until its maxTime', () =>
    given([created, quoted, inFlight])
      .when({ ...endAtDeadline, at: maxTime })
      .rejects({ _tag: 'TransactionInFlight', transactionHash: hashOf(7), maxTime }))
  it('does not wait once a ledger has closed after its maxTime', () =>
    given([created, quoted, inFlight])
      .when({ ...endAtDeadline, at: after(maxTime - start + secondMs) })
      .then([expired]))
  it('does not wait for a dead transaction', () =>
    given([created, quoted, inFlight, { type: 'TransactionDied', data: { transactionHash: hashOf(7) } }, attemptFailed])
      .when(endAtDeadline)
      .then([expired]))
  it('does not wait for a transaction that has arrived', () =>
    given([created, quoted, inFlight, accepted(creditOf(1n, 7))])
      .when(endAtDeadline)
      .then([failedUnderpaid]))
})

describe('the merchant ends a session', () => {
  it('which expires at that moment', () =>
    given([created, quoted])
      .when(endEarly)
      .then([{ type: 'CheckoutExpired', data: { endedAt: after(minuteMs) } }]))
  it('which does not wait for a transaction', () =>
    given([created, quoted, submitted])
      .when(endEarly)
      .then([{ type: 'CheckoutExpired', data: { endedAt: after(minuteMs) } }]))
  it('which ends at its deadline if that has passed', () =>
    given([created])
      .when({ ...endEarly, at: after(deadline - start + 1) })
      .then([expired]))
  it('which fails if too little has come', () =>
    given(partlyPaid)
      .when(endEarly)
      .then([
        { type: 'CheckoutFailed', data: { reason: 'underpaid', paymentId: firstPayment, endedAt: after(minuteMs) } },
      ]))
})

describe('failing a session because completing has become impossible', () => {
  const failed: CheckoutEvent = {
    type: 'CheckoutFailed',
    data: { reason: 'product_unavailable', paymentId: null, endedAt: start },
  }
  it('records the reason', () => given([created]).when(failSession).then([failed]))
  it('records nothing when repeated', () => given([created, failed]).when(failSession).then([]))
  it.each(closed)('is rejected when the session is $status', ({ history, rejection }) =>
    given(history).when(failSession).rejects(rejection),
  )
})

describe('a checkout that does not exist', () => {
  it.each<CheckoutCommand>([
    issue,
    attach,
    submit,
    { type: 'RecordDeadTransaction', transactionHash: hashOf(1) },
    { type: 'AcceptCredit', credit: exact, paymentId: exampleId(PaymentId, 1), requote: null },
    complete,
    endAtDeadline,
    failSession,
  ])('is not found: $type', (command) => given([]).when(command).rejects({ _tag: 'CheckoutNotFound' }))
})

describe('a history that could not have been written', () => {
  it.each<CheckoutEvent[]>([
    [quoted],
    [created, created],
    [created, completed],
    [created, expired, expired],
    [...settled, settledBy(exact)],
    [...settled, failedUnderpaid],
  ])('is a defect', (...history) =>
    expect(() => history.reduce(Checkout.decider.evolve, Checkout.decider.initial)).toThrow('cannot follow'),
  )
})

import { CustomerId, PaymentId } from '../shared/ids.ts'
import { asText, HttpUrl } from '../shared/text.ts'
import { minuteMs, secondMs } from '../shared/units.ts'
import {
  accepted,
  after,
  attemptFailed,
  closed,
  completed,
  created,
  creditOf,
  deadline,
  exact,
  expired,
  failedUnderpaid,
  firstPayment,
  newQuote,
  quoted,
  secondPayment,
  settled,
  settledBy,
  submitted,
} from '../testing/checkout-examples.ts'
import { decoded, eurc, exampleId, hashOf, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent } from './index.ts'

const { given } = scenario(Checkout.decider)
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

describe('completing a checkout', () => {
  it('completes a checkout last, at the close time of the ledger that covered the price', () =>
    given(settled).when(complete).then([completed]))
  it('records the terms that the customer has accepted by paying', () => {
    const terms = { url: decoded(HttpUrl, 'https://ada.example/terms'), version: asText('1') }
    if (created.type !== 'CheckoutCreated' || completed.type !== 'CheckoutCompleted') throw new TypeError('no checkout')
    const withTerms: CheckoutEvent = { ...created, data: { ...created.data, terms } }
    given([withTerms, ...settled.slice(1)])
      .when(complete)
      .then([{ ...completed, data: { ...completed.data, terms } }])
  })
  it('records nothing when the completion is repeated', () =>
    given([...settled, completed])
      .when(complete)
      .then([]))
  it.each([settled, [...settled, completed]])('rejects a completion by another payment', (...history) =>
    given(history)
      .when({ type: 'CompleteCheckout', paymentId: secondPayment })
      .rejects({ _tag: 'OtherPayment', paymentId: firstPayment }),
  )
  it('rejects a completion before the price is covered', () =>
    given(partlyPaid).when(complete).rejects({ _tag: 'CheckoutNotSettled' }))
  it.each(closed.slice(2))('rejects a completion when the session is $status', ({ history, rejection }) =>
    given(history).when(complete).rejects(rejection),
  )
})

describe('the deadline of a checkout', () => {
  it('expires a session to which nothing came', () => given([created, quoted]).when(endAtDeadline).then([expired]))
  it('ends the session at the deadline even when ingestion is past it', () =>
    given([created, quoted])
      .when({ ...endAtDeadline, at: after(deadline - start + minuteMs) })
      .then([expired]))
  it('fails a session that is underpaid at the deadline', () =>
    given(partlyPaid).when(endAtDeadline).then([failedUnderpaid]))
  it('fails a session that got only another asset', () =>
    given([created, quoted, wrongAsset])
      .when(endAtDeadline)
      .then([{ type: 'CheckoutFailed', data: { reason: 'wrong_asset', paymentId: null, endedAt: deadline } }]))
  it('expires a session whose only other asset closed at the deadline, even if recorded first', () => {
    const credit = { ...creditOf(1n, 5, deadline - start), assetId: eurc }
    given([created, quoted, { type: 'CreditSetAside', data: { credit, reason: 'wrong_asset' } }])
      .when(endAtDeadline)
      .then([expired])
  })
  it('fails a session as underpaid when another asset came besides', () =>
    given([...partlyPaid, wrongAsset])
      .when(endAtDeadline)
      .then([failedUnderpaid]))
  it('rejects the deadline a millisecond early', () =>
    given([created])
      .when({ ...endAtDeadline, at: after(deadline - start - 1) })
      .rejects({ _tag: 'DeadlineNotReached', expiresAt: deadline }))
  it.each(closed.slice(0, 2))('rejects the deadline when the session is $status', ({ history, rejection }) =>
    given(history).when(endAtDeadline).rejects(rejection),
  )
  it.each(closed.slice(2))('records nothing at the deadline when the session is $status', ({ history }) =>
    given(history).when(endAtDeadline).then([]),
  )

  const maxTime = after(deadline - start + minuteMs)
  const inFlight: CheckoutEvent = {
    type: 'TransactionSubmitted',
    data: { transactionHash: hashOf(7), maxTime, paymentId: firstPayment },
  }
  it('waits for a submitted transaction until its maxTime', () =>
    given([created, quoted, inFlight])
      .when({ ...endAtDeadline, at: maxTime })
      .rejects({ _tag: 'TransactionInFlight', transactionHash: hashOf(7), maxTime }))
  it('stops waiting once a ledger has closed after the maxTime', () =>
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

describe('a session that the merchant ends', () => {
  it('expires the session at the moment the merchant ends it', () =>
    given([created, quoted])
      .when(endEarly)
      .then([{ type: 'CheckoutExpired', data: { endedAt: after(minuteMs) } }]))
  it('does not wait for a transaction when the merchant ends the session', () =>
    given([created, quoted, submitted])
      .when(endEarly)
      .then([{ type: 'CheckoutExpired', data: { endedAt: after(minuteMs) } }]))
  it('ends the session at its deadline if that has passed', () =>
    given([created])
      .when({ ...endEarly, at: after(deadline - start + 1) })
      .then([expired]))
  it('fails an underpaid session when the merchant ends it', () =>
    given(partlyPaid)
      .when(endEarly)
      .then([
        { type: 'CheckoutFailed', data: { reason: 'underpaid', paymentId: firstPayment, endedAt: after(minuteMs) } },
      ]))
})

describe('failing a session that can no longer be completed', () => {
  const failed: CheckoutEvent = {
    type: 'CheckoutFailed',
    data: { reason: 'product_unavailable', paymentId: null, endedAt: start },
  }
  it('records the reason of the failure', () => given([created]).when(failSession).then([failed]))
  it('records nothing when the failure is repeated', () => given([created, failed]).when(failSession).then([]))
  it.each(closed)('rejects the failure when the session is $status', ({ history, rejection }) =>
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
  ])('rejects $type for an unknown checkout', (command) =>
    given([]).when(command).rejects({ _tag: 'CheckoutNotFound' }),
  )
})

describe('a history that could not have been written', () => {
  it.each<CheckoutEvent[]>([
    [quoted],
    [created, created],
    [created, completed],
    [created, expired, expired],
    [...settled, settledBy(exact)],
    [...settled, failedUnderpaid],
  ])('treats an impossible history as a defect', (...history) =>
    expect(() => history.reduce(Checkout.decider.evolve, Checkout.decider.initial)).toThrow('cannot follow'),
  )
})

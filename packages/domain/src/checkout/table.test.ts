import { CustomerId } from '../shared/ids.ts'
import { minuteMs } from '../shared/units.ts'
import {
  accept,
  accepted,
  after,
  completed,
  created,
  creditOf,
  enrol,
  exact,
  expired,
  failedUnderpaid,
  firstPayment,
  newQuote,
  offer,
  offered,
  quoted,
  sale,
  settledBy,
  signed,
  subscribing,
  enrolled as trialBegun,
  trialOffer,
} from '../testing/checkout-examples.ts'
import { exampleId, hashOf, start } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent, type CheckoutState } from './index.ts'

type Status = CheckoutState['status']

const { expiresAt: _, ...asked } = sale
const submittedToo: CheckoutEvent = {
  type: 'TransactionSubmitted',
  data: { transactionHash: hashOf(7), maxTime: after(5 * minuteMs), paymentId: firstPayment },
}
const open: ReadonlyArray<CheckoutEvent> = [created, quoted, submittedToo]
const covered: ReadonlyArray<CheckoutEvent> = [...open, accepted(exact), settledBy(exact)]
const histories: Readonly<Record<Status, ReadonlyArray<CheckoutEvent>>> = {
  absent: [],
  open,
  settled: covered,
  enrolled: [...subscribing, offered(trialOffer), trialBegun(trialOffer)],
  completed: [...covered, completed],
  expired: [...open, expired],
  failed: [...open, failedUnderpaid],
}
const commands: ReadonlyArray<CheckoutCommand> = [
  { type: 'CreateCheckout', at: start, ...asked },
  { type: 'IssueQuote', at: after(20 * minuteMs), quote: newQuote },
  { type: 'AttachCustomer', customerId: exampleId(CustomerId, 1) },
  { type: 'OfferMandate', at: start, offer },
  enrol(signed(offer), creditOf(100_000_000n, 3)),
  {
    type: 'SubmitTransaction',
    at: start,
    transactionHash: hashOf(9),
    maxTime: after(minuteMs),
    paymentId: firstPayment,
  },
  { type: 'RecordDeadTransaction', transactionHash: hashOf(7) },
  accept(creditOf(100_000_000n, 2)),
  { type: 'CompleteCheckout', paymentId: firstPayment },
  { type: 'EndSession', at: after(30 * minuteMs), cause: 'merchant' },
  { type: 'FailSession', at: start, reason: 'product_unavailable' },
]

/** What only an open session takes, in one that is not. */
const ended = (rejection: string) => ({
  CreateCheckout: 'nothing',
  IssueQuote: rejection,
  AttachCustomer: rejection,
  OfferMandate: rejection,
  AcceptEnrolment: 'EnrolmentRefused, CreditSetAside',
  SubmitTransaction: rejection,
  CompleteCheckout: rejection,
  FailSession: rejection,
})
const expected: Outcomes<Status, CheckoutCommand['type']> = {
  absent: {
    CreateCheckout: 'CheckoutCreated',
    IssueQuote: 'CheckoutNotFound',
    AttachCustomer: 'CheckoutNotFound',
    OfferMandate: 'CheckoutNotFound',
    AcceptEnrolment: 'CheckoutNotFound',
    SubmitTransaction: 'CheckoutNotFound',
    RecordDeadTransaction: 'CheckoutNotFound',
    AcceptCredit: 'CheckoutNotFound',
    CompleteCheckout: 'CheckoutNotFound',
    EndSession: 'CheckoutNotFound',
    FailSession: 'CheckoutNotFound',
  },
  open: {
    CreateCheckout: 'nothing',
    IssueQuote: 'QuoteIssued',
    AttachCustomer: 'PaymentAlreadyBegun',
    OfferMandate: 'NotASubscription',
    AcceptEnrolment: 'EnrolmentRefused, CreditSetAside',
    SubmitTransaction: 'TransactionSubmitted',
    RecordDeadTransaction: 'TransactionDied, PaymentAttemptFailed',
    AcceptCredit: 'CreditAccepted, CheckoutSettled',
    CompleteCheckout: 'CheckoutNotSettled',
    EndSession: 'CheckoutExpired',
    FailSession: 'CheckoutFailed',
  },
  settled: {
    ...ended('CompletionUnderWay'),
    RecordDeadTransaction: 'TransactionDied',
    AcceptCredit: 'CreditSetAside',
    CompleteCheckout: 'CheckoutCompleted',
    EndSession: 'CompletionUnderWay',
  },
  enrolled: {
    ...ended('CompletionUnderWay'),
    CreateCheckout: 'CheckoutAlreadyExists',
    AttachCustomer: 'nothing',
    RecordDeadTransaction: 'TransactionUnknown',
    AcceptCredit: 'CreditSetAside',
    CompleteCheckout: 'OtherPayment',
    EndSession: 'CompletionUnderWay',
  },
  completed: {
    ...ended('CheckoutIsCompleted'),
    RecordDeadTransaction: 'TransactionDied',
    AcceptCredit: 'CreditSetAside',
    CompleteCheckout: 'nothing',
    EndSession: 'CheckoutIsCompleted',
  },
  expired: {
    ...ended('CheckoutIsExpired'),
    RecordDeadTransaction: 'TransactionDied, PaymentAttemptFailed',
    AcceptCredit: 'CreditAccepted, CheckoutSettled',
    EndSession: 'nothing',
  },
  failed: {
    ...ended('CheckoutIsFailed'),
    RecordDeadTransaction: 'TransactionDied, PaymentAttemptFailed',
    AcceptCredit: 'CreditSetAside',
    EndSession: 'nothing',
  },
}

describe('a checkout of any status', () => {
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Checkout.decider, histories, commands)).toEqual(expected))
})

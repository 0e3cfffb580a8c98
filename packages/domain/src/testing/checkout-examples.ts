import type { CheckoutSettlement } from '../checkout/events.ts'
import type {
  CheckoutCommand,
  CheckoutDetails,
  CheckoutEvent,
  CheckoutRejection,
  Enrolment,
  EnrolmentRefusal,
  MandateOffer,
  NewQuote,
  Quote,
  SeenMandate,
  SetAsideReason,
} from '../checkout/index.ts'
import { accountSequence } from '../shared/account-sequence.ts'
import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { CustomerId, PaymentId, ProductId, SubscriptionId } from '../shared/ids.ts'
import { type IncomingPayment, LedgerSequence } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, hourMs, minuteMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { accountOf, contractOf } from './account.ts'
import { decoded, exampleCredit, exampleId, hashOf, merchantAccount, payerAccount, start, usdc } from './examples.ts'

export const after = (ms: number): UnixMs => unixMs(start + ms)
export const deadline = after(24 * hourMs)
export const firstPayment = exampleId(PaymentId, 1)
export const secondPayment = exampleId(PaymentId, 2)

/** A guest's direct sale of 10.00 USD in USDC, from the start on. */
export const sale: CheckoutDetails = {
  kind: 'direct',
  productId: null,
  priceVersion: null,
  customerId: null,
  price: { _tag: 'fiat', currency: decoded(CurrencyCode, 'USD'), cents: cents(1000n) },
  assetId: usdc,
  destination: merchantAccount,
  redirectUrl: null,
  description: null,
  metadata: noMetadata,
  underpaymentTolerance: stroops(0n),
  expiresAt: deadline,
}

/** 10 USDC, with 0.10 USD at par. */
export const newQuote: NewQuote = {
  amount: stroops(100_000_000n),
  pegged: true,
  excessFloor: stroops(1_000_000n),
  rates: [],
}
export const quote: Quote = {
  ordinal: positiveCount(1),
  amount: newQuote.amount,
  validFrom: start,
  validUntil: after(15 * minuteMs),
  excessFloor: newQuote.excessFloor,
  rates: [],
}

/** The n-th credit of some stroops, in a ledger that closed some time after the start. */
export const creditOf = (amount: bigint, number = 1, afterMs: number = minuteMs): IncomingPayment => ({
  ...exampleCredit,
  transactionHash: hashOf(number),
  amount: stroops(amount),
  closedAt: after(afterMs),
})

export const created: CheckoutEvent = { type: 'CheckoutCreated', data: sale }
export const quoted: CheckoutEvent = { type: 'QuoteIssued', data: quote }
export const submittedFor = (paymentId: PaymentId): CheckoutEvent => ({
  type: 'TransactionSubmitted',
  data: { transactionHash: hashOf(1), maxTime: after(5 * minuteMs), paymentId },
})
export const submitted = submittedFor(firstPayment)
export const died: CheckoutEvent = { type: 'TransactionDied', data: { transactionHash: hashOf(1) } }
export const attemptFailed: CheckoutEvent = { type: 'PaymentAttemptFailed', data: { paymentId: firstPayment } }
export const accepted = (credit: IncomingPayment, paymentId: PaymentId = firstPayment): CheckoutEvent => ({
  type: 'CreditAccepted',
  data: { credit, paymentId },
})
/** Takes a credit, for the first payment if none is open, without a requote. */
export const accept = (credit: IncomingPayment): Extract<CheckoutCommand, { readonly type: 'AcceptCredit' }> => ({
  type: 'AcceptCredit',
  credit,
  paymentId: firstPayment,
  requote: null,
})
export const unapplied = (credit: IncomingPayment, reason: SetAsideReason): CheckoutEvent => ({
  type: 'CreditSetAside',
  data: { credit, reason },
})
/** How a credit settles a sale that it covers exactly; a test says what differs. */
export const settledBy = (credit: IncomingPayment, differing: Partial<CheckoutSettlement> = {}): CheckoutEvent => ({
  type: 'CheckoutSettled',
  data: {
    paymentId: firstPayment,
    amountDue: quote.amount,
    received: credit.amount,
    excess: stroops(0n),
    overpaid: stroops(0n),
    late: false,
    transactionHash: credit.transactionHash,
    ledger: credit.ledger,
    closedAt: credit.closedAt,
    ...differing,
  },
})
export const expired: CheckoutEvent = { type: 'CheckoutExpired', data: { endedAt: deadline } }
export const failedUnderpaid: CheckoutEvent = {
  type: 'CheckoutFailed',
  data: { reason: 'underpaid', paymentId: firstPayment, endedAt: deadline },
}
export const exact = creditOf(100_000_000n)
/** The history of that sale, which 10 USDC have settled. */
export const settled: ReadonlyArray<CheckoutEvent> = [created, quoted, accepted(exact), settledBy(exact)]
export const completed: CheckoutEvent = {
  type: 'CheckoutCompleted',
  data: { paymentId: firstPayment, completedAt: exact.closedAt },
}

/** Sessions that are not open any more, and what they answer to a command that only an open one takes. */
export const closed: ReadonlyArray<{
  status: string
  history: ReadonlyArray<CheckoutEvent>
  rejection: CheckoutRejection
}> = [
  { status: 'settled', history: settled, rejection: { _tag: 'CompletionUnderWay', paymentId: firstPayment } },
  {
    status: 'completed',
    history: [...settled, completed],
    rejection: { _tag: 'CheckoutIsCompleted', paymentId: firstPayment },
  },
  { status: 'expired', history: [created, expired], rejection: { _tag: 'CheckoutIsExpired', endedAt: deadline } },
  {
    status: 'failed',
    history: [created, quoted, accepted(creditOf(40_000_000n)), failedUnderpaid],
    rejection: { _tag: 'CheckoutIsFailed', reason: 'underpaid' },
  },
]

export const ada = exampleId(CustomerId, 1)
/** A session of ada's in which a book club is sold for 10.00 USD a month, with a trial of a week. */
export const subscriptionSale: CheckoutDetails = {
  ...sale,
  kind: 'product',
  productId: exampleId(ProductId, 1),
  priceVersion: positiveCount(1),
  customerId: ada,
  subscription: { interval: 'month', intervalCount: positiveCount(1), trialDays: count(7) },
}
export const subscribing: ReadonlyArray<CheckoutEvent> = [{ type: 'CheckoutCreated', data: subscriptionSale }, quoted]

/** The mandate that a payer's wallet is offered without a trial, and what a closed ledger shows of it. */
export const offer: MandateOffer = {
  mandateId: decoded(MandateId, 'ab'.repeat(32)),
  contract: contractOf(1),
  customer: payerAccount,
  payee: merchantAccount,
  operator: accountOf(9),
  token: contractOf(2),
  assetId: usdc,
  cap: stroops(110_000_000n),
  interval: 'month',
  intervalCount: positiveCount(1),
  firstChargeAt: start,
  firstAmount: newQuote.amount,
  trialDays: count(0),
  quote: quote.ordinal,
  allowance: stroops(770_000_000n),
  allowanceExpiryLedger: decoded(LedgerSequence, 3_000_000),
  transactionHash: hashOf(1),
  accountSequence: accountSequence(7n),
  maxTime: after(5 * minuteMs),
  envelopeXdr: asText('AAAA'),
}
export const trialOffer: MandateOffer = {
  ...offer,
  mandateId: decoded(MandateId, 'cd'.repeat(32)),
  firstChargeAt: after(7 * 24 * hourMs),
  firstAmount: stroops(0n),
  trialDays: count(7),
  transactionHash: hashOf(2),
}
export const offered = (mandate: MandateOffer): CheckoutEvent => ({ type: 'MandateOffered', data: mandate })

/** An offered mandate as the ledger shows it once it was signed as it is. */
export const signed = (mandate: MandateOffer): SeenMandate => {
  const { assetId: _asset, trialDays: _days, quote: _quote, maxTime: _time, ...more } = mandate
  const { envelopeXdr: _xdr, accountSequence: _sequence, ...terms } = more
  return { ...terms, endsAt: null, ledger: exact.ledger, closedAt: exact.closedAt }
}
const subscriptionId = exampleId(SubscriptionId, 1)
/** Takes a mandate, with what its first amount brought. */
export const enrol = (
  mandate: SeenMandate,
  credit: IncomingPayment | null,
): Extract<CheckoutCommand, { readonly type: 'AcceptEnrolment' }> => ({
  type: 'AcceptEnrolment',
  mandate,
  credit,
  isTrialFree: true,
  isSubscribed: false,
  paymentId: firstPayment,
  subscriptionId,
})
export const enrolled = (mandate: MandateOffer, differing: Partial<Enrolment> = {}): CheckoutEvent => {
  const { mandateId, contract, customer, trialDays, transactionHash } = mandate
  const { ledger, closedAt } = exact
  const where = { mandateId, contract, ledger, closedAt, transactionHash }
  const data = { ...where, offered: transactionHash, wallet: customer, trialDays, subscriptionId, ...differing }
  return { type: 'EnrolmentSeen', data }
}
export const notEnrolled = (
  { mandateId, contract, ledger, closedAt, transactionHash }: SeenMandate,
  reason: EnrolmentRefusal,
): CheckoutEvent => ({
  type: 'EnrolmentRefused',
  data: { mandateId, contract, ledger, closedAt, transactionHash, reason },
})

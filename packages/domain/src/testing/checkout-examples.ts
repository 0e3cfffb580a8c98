import type {
  CheckoutCommand,
  CheckoutDetails,
  CheckoutEvent,
  CheckoutRejection,
  CheckoutSettlement,
  NewQuote,
  Quote,
  SetAsideReason,
} from '../checkout/index.ts'
import { cents } from '../shared/cents.ts'
import type { Credit } from '../shared/credit.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { PaymentId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { hourMs, minuteMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { decoded, exampleCredit, exampleId, hashOf, merchantAccount, start, usdc } from './examples.ts'

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
export const creditOf = (amount: bigint, number = 1, afterMs: number = minuteMs): Credit => ({
  ...exampleCredit,
  transactionHash: hashOf(number),
  amount: stroops(amount),
  closedAt: after(afterMs),
})

export const created: CheckoutEvent = { type: 'CheckoutCreated', data: sale }
export const quoted: CheckoutEvent = { type: 'QuoteIssued', data: quote }
export const submitted: CheckoutEvent = {
  type: 'TransactionSubmitted',
  data: { transactionHash: hashOf(1), maxTime: after(5 * minuteMs), paymentId: firstPayment },
}
export const died: CheckoutEvent = { type: 'TransactionDied', data: { transactionHash: hashOf(1) } }
export const attemptFailed: CheckoutEvent = { type: 'PaymentAttemptFailed', data: { paymentId: firstPayment } }
export const accepted = (credit: Credit, paymentId: PaymentId = firstPayment): CheckoutEvent => ({
  type: 'CreditAccepted',
  data: { credit, paymentId },
})
/** Takes a credit, for the first payment if none is open, without a requote. */
export const accept = (credit: Credit): Extract<CheckoutCommand, { readonly type: 'AcceptCredit' }> => ({
  type: 'AcceptCredit',
  credit,
  paymentId: firstPayment,
  requote: null,
})
export const aside = (credit: Credit, reason: SetAsideReason): CheckoutEvent => ({
  type: 'CreditSetAside',
  data: { credit, reason },
})
/** How a credit settles a sale that it covers exactly; a test says what differs. */
export const settledBy = (credit: Credit, differing: Partial<CheckoutSettlement> = {}): CheckoutEvent => ({
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

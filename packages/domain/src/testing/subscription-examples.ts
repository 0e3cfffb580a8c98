import { defaultPolicy, type Policy } from '../merchant/index.ts'
import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { AuthorizationId, CheckoutId, CustomerId, InvoiceId, makeId, PaymentId, ProductId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, hourMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import type {
  FailureCause,
  NextCharge,
  SubscriptionCommand,
  SubscriptionDetails,
  SubscriptionTerms,
} from '../subscription/index.ts'
import type { Mandate } from '../subscription/terms.ts'
import { accountOf, contractOf } from './account.ts'
import { decoded, exampleId, hashOf, merchantAccount, payerAccount, start, usdc } from './examples.ts'

type Of<Type extends SubscriptionCommand['type']> = Extract<SubscriptionCommand, { readonly type: Type }>

export const dayMs = 24 * hourMs
/** A moment as its ISO text has it, in UTC. */
export const on = (text: string): UnixMs => unixMs(Date.parse(text.includes('T') ? `${text}Z` : `${text}T12:00:00Z`))

export const policy: Policy = defaultPolicy

/** 10 USD a month. */
export const monthly: SubscriptionTerms = {
  productId: exampleId(ProductId, 1),
  priceVersion: positiveCount(1),
  price: { currency: decoded(CurrencyCode, 'USD'), cents: cents(1000n) },
  interval: 'month',
  intervalCount: positiveCount(1),
}
export const yearly: SubscriptionTerms = { ...monthly, productId: exampleId(ProductId, 2), interval: 'year' }
export const daily: SubscriptionTerms = { ...monthly, interval: 'day' }
/** As dear as the mandate allows. */
export const dearer: SubscriptionTerms = {
  ...monthly,
  productId: exampleId(ProductId, 3),
  price: { ...monthly.price, cents: cents(1100n) },
}

/** The example mandate with a number of its own: up to 11 USDC for one period, approved at a moment for half a year. */
export const mandateOf = (number: number, { interval, intervalCount }: SubscriptionTerms, at: UnixMs): Mandate => ({
  mandateId: decoded(MandateId, hashOf(number)),
  contract: contractOf(1),
  customer: payerAccount,
  payee: merchantAccount,
  operator: accountOf(9),
  token: contractOf(2),
  cap: stroops(110_000_000n),
  interval,
  intervalCount,
  firstChargeAt: at,
  approval: {
    allowance: stroops(770_000_000n),
    allowanceExpiryLedger: decoded(LedgerSequence, 3_000_000),
    expiresAt: unixMs(at + 180 * dayMs),
    approvedAt: at,
  },
})

/** A subscription as its checkout hands it over. */
export const begun = (
  at: UnixMs,
  { trialDays = 0, terms = monthly }: { readonly trialDays?: number; readonly terms?: SubscriptionTerms } = {},
): SubscriptionDetails => ({
  checkoutId: exampleId(CheckoutId, 1),
  customerId: exampleId(CustomerId, 1),
  terms,
  assetId: usdc,
  mandate: mandateOf(500, terms, at),
  trialDays: count(trialDays),
  firstPaymentId: trialDays === 0 ? exampleId(PaymentId, 1) : null,
  metadata: noMetadata,
  startedAt: at,
})

/** The payment of the `k`th attempt for period `n`. */
export const paymentOf = (n: number, k: number) =>
  makeId(PaymentId, start, Uint8Array.of(1, 0, 0, 0, n >> 16, n >> 8, n, k >> 16, k >> 8, k))
export const invoiceOf = (n: number) => exampleId(InvoiceId, n)
export const authorizationOf = (number: number) => exampleId(AuthorizationId, number)
export const inLedgerAt = (closedAt: UnixMs, number = 1) => ({
  transactionHash: hashOf(number),
  ledger: decoded(LedgerSequence, 1000 + number),
  closedAt,
})

/** The attempt that a step asked for, at 10 USDC. */
export const attemptOf = ({ n, k, period, why }: NextCharge, at: UnixMs, { price } = monthly): Of<'AttemptCharge'> => ({
  type: 'AttemptCharge',
  at,
  n,
  k,
  periodStart: period.start,
  why,
  paymentId: paymentOf(n, k),
  price,
  amount: stroops(100_000_000n),
  rates: [{ source: asText('book'), pair: asText('USD/USDC'), rate: asText('1'), observedAt: at }],
})
export const confirmed = (n: number, k: number, closedAt: UnixMs): Of<'ConfirmCharge'> => ({
  type: 'ConfirmCharge',
  paymentId: paymentOf(n, k),
  ...inLedgerAt(closedAt),
})
export const failed = (n: number, k: number, cause: FailureCause, at: UnixMs): Of<'FailCharge'> => ({
  type: 'FailCharge',
  paymentId: paymentOf(n, k),
  cause,
  code: null,
  includedIn: null,
  at,
  policy,
  jitter: 0,
})
export const allowed = (at: UnixMs): Of<'AllowAttempts'> => ({
  type: 'AllowAttempts',
  at,
  by: asText('operator'),
  reason: asText('the contract was out of order'),
})
export const settled = (n: number, closedAt: UnixMs): Of<'SettleInvoice'> => ({
  type: 'SettleInvoice',
  invoiceId: invoiceOf(n),
  paymentId: exampleId(PaymentId, 500 + n),
  amount: stroops(100_000_000n),
  ...inLedgerAt(closedAt, 2),
})

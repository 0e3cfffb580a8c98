import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { Cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, CustomerId, PaymentId, ProductId, Reference, SubscriptionId } from '../shared/ids.ts'
import { IncomingPayment, LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { MetadataText } from '../shared/metadata.ts'
import { PlatformFee } from '../shared/platform-fee.ts'
import { Terms } from '../shared/profile.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { HttpUrl, Text } from '../shared/text.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'
import { Enrolment, MandateOffer, RefusedEnrolment, SubscriptionPlan } from './enrolment.ts'
import { Quote } from './quote.ts'

/** What is charged: an amount of a currency, converted when the customer pays, or an amount of the asset itself. */
export const CheckoutPrice = t.union(
  [
    strict({ _tag: t.literal('fiat'), currency: CurrencyCode, cents: Cents }),
    strict({ _tag: t.literal('asset'), stroops: Stroops }),
  ],
  'CheckoutPrice',
)
export type CheckoutPrice = t.TypeOf<typeof CheckoutPrice>

/** What an invoice is for: period `n` of a subscription, which began with the checkout. */
export const InvoicedPeriod = strict(
  { subscriptionId: SubscriptionId, checkoutId: CheckoutId, n: Count },
  'InvoicedPeriod',
)
export type InvoicedPeriod = t.TypeOf<typeof InvoicedPeriod>

/**
 * A session as it was created. Product and merchant may change afterwards; the copy here holds. `subscription` is
 * there where one is sold: then nothing but a mandate that was offered completes the session. `invoice` is there in the
 * session of an invoice, which is no checkout. `reference` stands for it on the ledger; without one, from earlier versions,
 * its id does. `isCustomerNamed`: the merchant named the customer by id, not by an email or a phone number that a payer may
 * have typed. `terms`: those that its page shows before anything is paid. `platformFee`: what the operator takes of it.
 */
export const CheckoutDetails = t.intersection(
  [
    strict({
      kind: t.keyof({ product: null, direct: null }),
      productId: orNull(ProductId),
      priceVersion: orNull(PositiveCount),
      customerId: orNull(CustomerId),
      price: CheckoutPrice,
      assetId: AssetId,
      destination: AccountId,
      redirectUrl: orNull(HttpUrl),
      description: orNull(Text),
      metadata: MetadataText,
      underpaymentTolerance: Stroops,
      expiresAt: UnixMs,
    }),
    partial({
      subscription: SubscriptionPlan,
      invoice: InvoicedPeriod,
      reference: Reference,
      isCustomerNamed: t.literal(true),
      terms: Terms,
      platformFee: PlatformFee,
    }),
  ],
  'CheckoutDetails',
)
export type CheckoutDetails = t.TypeOf<typeof CheckoutDetails>

/**
 * Why a matched incoming payment is not applied: another asset or issuer; the price is already covered; too late, or late and
 * not enough; the session has failed; it came for a subscription, but not by a mandate that counts. An exception follows
 * for each.
 */
export const SetAsideReason = t.keyof(
  { wrong_asset: null, paid_twice: null, late: null, after_failure: null, authorization_failed: null },
  'SetAsideReason',
)
export type SetAsideReason = t.TypeOf<typeof SetAsideReason>

/**
 * The price is covered. received = the price's part + overpaid + excess, in stroops: `excess` is to be returned,
 * `overpaid` is kept. `amountDue` is the quote's amount; received may be less by the tolerance. `transactionHash`,
 * `ledger` and `closedAt` are those of the payment that covered it.
 */
export const CheckoutSettlement = strict(
  {
    paymentId: PaymentId,
    amountDue: Stroops,
    received: Stroops,
    excess: Stroops,
    overpaid: Stroops,
    late: t.boolean,
    transactionHash: TransactionHash,
    ledger: LedgerSequence,
    closedAt: UnixMs,
  },
  'CheckoutSettlement',
)
export type CheckoutSettlement = t.TypeOf<typeof CheckoutSettlement>

/** Why a checkout has failed. */
export const CheckoutFailureReason = t.keyof(
  { underpaid: null, wrong_asset: null, authorization_failed: null, product_unavailable: null, network_reset: null },
  'CheckoutFailureReason',
)
export type CheckoutFailureReason = t.TypeOf<typeof CheckoutFailureReason>

/** Why nothing is owed by an invoice any more: a charge has paid for its period, or its subscription was canceled. */
export const InvoiceEnd = t.keyof({ paid_otherwise: null, not_owed: null }, 'InvoiceEnd')
export type InvoiceEnd = t.TypeOf<typeof InvoiceEnd>

export const SessionFailureReason = t.union([CheckoutFailureReason, InvoiceEnd], 'SessionFailureReason')
export type SessionFailureReason = t.TypeOf<typeof SessionFailureReason>

/** What happens to a checkout, as its stream holds it. */
export const CheckoutEvent = facts([
  fact('CheckoutCreated', CheckoutDetails),
  fact('QuoteIssued', Quote),
  fact('CustomerAttached', strict({ customerId: CustomerId })),
  // Before a wallet is given it to sign: a mandate counts only if it equals one of these.
  fact('MandateOffered', MandateOffer),
  fact('EnrolmentSeen', Enrolment),
  fact('EnrolmentRefused', RefusedEnrolment),
  // A transaction was relayed. It belongs to the payment named, which the process opens. Its bytes are sent again until a
  // ledger holds it, or its time is over.
  fact(
    'TransactionSubmitted',
    t.intersection([
      strict({ transactionHash: TransactionHash, maxTime: UnixMs, paymentId: PaymentId }),
      partial({ envelopeXdr: Text }),
    ]),
  ),
  fact('TransactionDied', strict({ transactionHash: TransactionHash })),
  fact('PaymentAttemptFailed', strict({ paymentId: PaymentId })),
  fact('CreditAccepted', strict({ credit: IncomingPayment, paymentId: PaymentId })),
  fact('CreditSetAside', strict({ credit: IncomingPayment, reason: SetAsideReason })),
  fact('CheckoutSettled', CheckoutSettlement),
  // `terms`: those that the customer has accepted by then, by paying.
  fact(
    'CheckoutCompleted',
    t.intersection([strict({ paymentId: PaymentId, completedAt: UnixMs }), partial({ terms: Terms })]),
  ),
  // A trial: nothing was paid, and the terms were accepted by signing.
  fact('CheckoutCompletedUnpaid', t.intersection([strict({ completedAt: UnixMs }), partial({ terms: Terms })])),
  // `endedAt` is the deadline, or the earlier moment at which the merchant ended the session.
  fact('CheckoutExpired', strict({ endedAt: UnixMs })),
  fact('CheckoutFailed', strict({ reason: SessionFailureReason, paymentId: orNull(PaymentId), endedAt: UnixMs })),
])
export type CheckoutEvent = t.TypeOf<typeof CheckoutEvent>

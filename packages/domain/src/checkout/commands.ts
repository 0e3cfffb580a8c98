import type { CustomerId, PaymentId, SubscriptionId } from '../shared/ids.ts'
import type { IncomingPayment, TransactionHash } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { MandateOffer, SeenMandate } from './enrolment.ts'
import type { CheckoutDetails, SessionFailureReason } from './events.ts'
import type { NewQuote } from './quote.ts'

/**
 * Opens a session for 24 hours from `at`, or until the moment given. A price in the asset is quoted at once; one in a
 * currency when needed.
 */
export type CreateCheckout = {
  readonly type: 'CreateCheckout'
  readonly at: UnixMs
  readonly expiresAt?: UnixMs
} & Omit<CheckoutDetails, 'expiresAt'>

/** Satisfied while an earlier quote is valid. */
export type IssueQuote = { readonly type: 'IssueQuote'; readonly at: UnixMs; readonly quote: NewQuote }

export type AttachCustomer = { readonly type: 'AttachCustomer'; readonly customerId: CustomerId }

/** Puts a mandate before a wallet. It has to be dead before the session ends. */
export type OfferMandate = { readonly type: 'OfferMandate'; readonly at: UnixMs; readonly offer: MandateOffer }

/**
 * A mandate whose reference names this checkout was found in a closed ledger, with the `credit` that its first amount
 * brought; null where it brought none. `isTrialFree`: this mandate may begin a trial. `isSubscribed`: its
 * customer has a subscription of the product, which allows only one.
 */
export type AcceptEnrolment = {
  readonly type: 'AcceptEnrolment'
  readonly mandate: SeenMandate
  readonly credit: IncomingPayment | null
  readonly isTrialFree: boolean
  readonly isSubscribed: boolean
  readonly paymentId: PaymentId
  readonly subscriptionId: SubscriptionId
}

/** A transaction that pays this checkout is relayed. `paymentId` is used if no payment is open. */
export type SubmitTransaction = {
  readonly type: 'SubmitTransaction'
  readonly at: UnixMs
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
  readonly paymentId: PaymentId
  /** Its signed bytes in base64, to be sent again as long as no ledger holds them. */
  readonly envelopeXdr?: Text
}

/**
 * A submitted transaction will bring nothing: it is proven that no ledger will include it, or the one that did
 * credited nothing to this checkout.
 */
export type RecordDeadTransaction = {
  readonly type: 'RecordDeadTransaction'
  readonly transactionHash: TransactionHash
}

/**
 * An incoming payment that names this checkout was found in a closed ledger. `paymentId` is used if no payment is open;
 * `requote` (obtained for the ledger's close time) if no quote can judge it.
 */
export type AcceptCredit = {
  readonly type: 'AcceptCredit'
  readonly credit: IncomingPayment
  readonly paymentId: PaymentId
  readonly requote: NewQuote | null
}

/** All that follows is written: the session's last step. `paymentId` is of the payment, which is confirmed; null of a trial. */
export type CompleteCheckout = { readonly type: 'CompleteCheckout'; readonly paymentId: PaymentId | null }

/** `at` is the close time of the newest ledger that was ingested (`deadline`), or now (`merchant`). */
export type EndSession = {
  readonly type: 'EndSession'
  readonly at: UnixMs
  readonly cause: 'deadline' | 'merchant'
}

/** Completing has become impossible. */
export type FailSession = {
  readonly type: 'FailSession'
  readonly at: UnixMs
  readonly reason: Exclude<SessionFailureReason, 'underpaid' | 'wrong_asset'>
}

/** What may be asked of a checkout. */
export type CheckoutCommand =
  | CreateCheckout
  | IssueQuote
  | AttachCustomer
  | OfferMandate
  | AcceptEnrolment
  | SubmitTransaction
  | RecordDeadTransaction
  | AcceptCredit
  | CompleteCheckout
  | EndSession
  | FailSession

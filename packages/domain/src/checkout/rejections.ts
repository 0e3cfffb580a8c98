import type { CustomerId, PaymentId } from '../shared/ids.ts'
import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { UnixMs } from '../shared/units.ts'
import type { SessionFailureReason } from './events.ts'

/** Why a command about a checkout is refused, with the facts that explain it. */
export type CheckoutRejection =
  | { readonly _tag: 'CheckoutNotFound' }
  | { readonly _tag: 'CheckoutAlreadyExists' }
  /** A product's checkout names a product and its price version; a direct one names neither. */
  | { readonly _tag: 'ProductMismatch' }
  | { readonly _tag: 'PriceNotPositive' }
  | { readonly _tag: 'QuoteNotPositive' }
  | { readonly _tag: 'DeadlinePassed'; readonly expiresAt: UnixMs }
  | { readonly _tag: 'DeadlineNotReached'; readonly expiresAt: UnixMs }
  | { readonly _tag: 'CheckoutIsExpired'; readonly endedAt: UnixMs }
  | { readonly _tag: 'CheckoutIsFailed'; readonly reason: SessionFailureReason }
  /** The price is covered, or a trial has begun; the payment is being confirmed. */
  | { readonly _tag: 'CompletionUnderWay'; readonly paymentId: PaymentId | null }
  | { readonly _tag: 'CheckoutIsCompleted'; readonly paymentId: PaymentId | null }
  | { readonly _tag: 'CheckoutNotSettled' }
  | { readonly _tag: 'OtherPayment'; readonly paymentId: PaymentId | null }
  | { readonly _tag: 'CustomerAlreadyAttached'; readonly customerId: CustomerId }
  /** As many offers as may be are waiting for a signature; the first of them is dead after `until`. */
  | { readonly _tag: 'OffersExhausted'; readonly until: UnixMs }
  /** No subscription is sold here. */
  | { readonly _tag: 'NotASubscription' }
  /** A mandate belongs to a customer: the session needs one first. */
  | { readonly _tag: 'CustomerNeeded' }
  /** A subscription is paid by a mandate of this session, by no other transaction. */
  | { readonly _tag: 'MandateNotOffered'; readonly transactionHash: TransactionHash }
  /** Money was received, or a transaction is on its way, for a guest. */
  | { readonly _tag: 'PaymentAlreadyBegun'; readonly paymentId: PaymentId }
  /** The payment has failed for good; another attempt needs a new one. */
  | { readonly _tag: 'PaymentIdSpent'; readonly paymentId: PaymentId }
  /** No quote can judge a payment of this moment: obtain one for it and ask again. */
  | { readonly _tag: 'QuoteNeeded'; readonly at: UnixMs }
  | { readonly _tag: 'TransactionInFlight'; readonly transactionHash: TransactionHash; readonly maxTime: UnixMs }
  | { readonly _tag: 'TransactionUnknown'; readonly transactionHash: TransactionHash }
  | { readonly _tag: 'TransactionHasCredit'; readonly transactionHash: TransactionHash }

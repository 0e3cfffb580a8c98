import type { AssetId } from '../shared/asset.ts'
import type { RefundId } from '../shared/ids.ts'
import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { PaymentFailureReason } from './events.ts'

/** Why a command about a payment is refused, with the facts that explain it. */
export type PaymentRejection =
  | { readonly _tag: 'PaymentNotFound' }
  | { readonly _tag: 'PaymentAlreadyExists' }
  /** `confirmed` is final. */
  | { readonly _tag: 'PaymentIsConfirmed'; readonly transactionHash: TransactionHash }
  /** `failed` is final. */
  | { readonly _tag: 'PaymentIsFailed'; readonly reason: PaymentFailureReason }
  | { readonly _tag: 'WrongAsset'; readonly expected: AssetId; readonly received: AssetId }
  | { readonly _tag: 'ReceivedTooLarge' }
  | { readonly _tag: 'NothingReceived' }
  /** Money has come for the payment: it is not failed by the death of a transaction. */
  | { readonly _tag: 'SomethingReceived'; readonly received: Stroops }
  | { readonly _tag: 'CreditNotRecorded'; readonly transactionHash: TransactionHash }
  /** The returned and the kept part of an excess cannot exceed the money that came. */
  | { readonly _tag: 'ExcessAboveReceived'; readonly received: Stroops }
  /** Only what was confirmed can be given back. */
  | { readonly _tag: 'PaymentNotConfirmed'; readonly status: 'pending' | 'failed' }
  /** One refund of the payment is under way, or has succeeded: this one. */
  | { readonly _tag: 'RefundExists'; readonly refundId: RefundId }
  /** It counts for nothing in its subscription, and goes back by itself. */
  | { readonly _tag: 'PaymentSetAside' }
  /** The refund has failed: its id is spent. */
  | { readonly _tag: 'RefundWasReleased' }
  | { readonly _tag: 'RefundNotClaimed' }

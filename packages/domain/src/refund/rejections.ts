import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { UnixMs } from '../shared/units.ts'
import type { RefundFailureReason } from './events.ts'

/** Why a command about a refund is refused, with the facts that explain it. */
export type RefundRejection =
  | { readonly _tag: 'RefundNotFound' }
  | { readonly _tag: 'RefundAlreadyExists' }
  /** Nothing of it may be sent before. */
  | { readonly _tag: 'RefundWaits'; readonly sendsAt: UnixMs }
  /** It is on its way to the ledger. */
  | { readonly _tag: 'RefundNotWaiting' }
  /** `succeeded` is final. */
  | { readonly _tag: 'RefundIsSucceeded'; readonly transactionHash: TransactionHash }
  /** `failed` is final. */
  | { readonly _tag: 'RefundIsFailed'; readonly reason: RefundFailureReason }

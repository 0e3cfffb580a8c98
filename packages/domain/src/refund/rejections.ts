import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { RefundFailureReason } from './events.ts'

export type RefundRejection =
  | { readonly _tag: 'RefundNotFound' }
  | { readonly _tag: 'RefundAlreadyExists' }
  /** `succeeded` is final. */
  | { readonly _tag: 'RefundIsSucceeded'; readonly transactionHash: TransactionHash }
  /** `failed` is final. */
  | { readonly _tag: 'RefundIsFailed'; readonly reason: RefundFailureReason }

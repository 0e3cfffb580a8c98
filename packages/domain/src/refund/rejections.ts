import type { TransactionHash } from '../shared/credit.ts'
import type { RefundFailureReason } from './events.ts'

export type RefundRejection =
  | { readonly _tag: 'RefundNotFound' }
  | { readonly _tag: 'RefundAlreadyExists' }
  /** `succeeded` is final. */
  | { readonly _tag: 'RefundIsSucceeded'; readonly transactionHash: TransactionHash }
  /** `failed` is final. */
  | { readonly _tag: 'RefundIsFailed'; readonly reason: RefundFailureReason }

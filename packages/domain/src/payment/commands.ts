import type { RefundId, WalletId } from '../shared/ids.ts'
import type { IncomingPayment, TransactionHash } from '../shared/incoming-payment.ts'
import type { Sealed } from '../shared/sealed.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PaymentDetails, PaymentFailureReason, RefundClaim } from './events.ts'

export type OpenPayment = { readonly type: 'OpenPayment' } & PaymentDetails

export type RecordSubmission = {
  readonly type: 'RecordSubmission'
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
}

export type RecordCredit = { readonly type: 'RecordCredit'; readonly credit: IncomingPayment }

/** `transactionHash` names the transaction of the incoming payment that completes it. */
export type ConfirmPayment = {
  readonly type: 'ConfirmPayment'
  readonly excess: Stroops
  readonly overpaid: Stroops
  readonly late: boolean
  readonly transactionHash: TransactionHash
  readonly walletId: WalletId | null
  readonly billingDetails: Sealed | null
}

/** Only on proof. `code` is the contract's number. */
export type FailPayment = {
  readonly type: 'FailPayment'
  readonly reason: PaymentFailureReason
  readonly code?: Text
  readonly at: UnixMs
}

/** Makes the refund the only one of its payment, until it has failed. */
export type ClaimRefund = { readonly type: 'ClaimRefund' } & RefundClaim

/** The refund has failed: the payment may be refunded by another. */
export type ReleaseRefund = { readonly type: 'ReleaseRefund'; readonly refundId: RefundId }

/** The refund has succeeded, in a ledger closed at `at`. */
export type RecordRefunded = { readonly type: 'RecordRefunded'; readonly refundId: RefundId; readonly at: UnixMs }

/** It counts for nothing in its subscription, and is to go back without a refund: unless one is under way, or was made. */
export type ClaimReturn = { readonly type: 'ClaimReturn' }

/** What may be asked of a payment. */
export type PaymentCommand =
  | OpenPayment
  | RecordSubmission
  | RecordCredit
  | ConfirmPayment
  | FailPayment
  | ClaimRefund
  | ReleaseRefund
  | RecordRefunded
  | ClaimReturn

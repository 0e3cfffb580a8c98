import type { Credit, TransactionHash } from '../shared/credit.ts'
import type { WalletId } from '../shared/ids.ts'
import type { Sealed } from '../shared/sealed.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PaymentDetails, PaymentFailureReason } from './events.ts'

export type OpenPayment = { readonly type: 'OpenPayment' } & PaymentDetails

export type RecordSubmission = {
  readonly type: 'RecordSubmission'
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
}

export type RecordCredit = { readonly type: 'RecordCredit'; readonly credit: Credit }

/** `transactionHash` names the completing credit's transaction. */
export type ConfirmPayment = {
  readonly type: 'ConfirmPayment'
  readonly excess: Stroops
  readonly overpaid: Stroops
  readonly late: boolean
  readonly transactionHash: TransactionHash
  readonly walletId: WalletId | null
  readonly billingDetails: Sealed | null
}

/** Only on proof. */
export type FailPayment = {
  readonly type: 'FailPayment'
  readonly reason: PaymentFailureReason
  readonly at: UnixMs
}

export type PaymentCommand = OpenPayment | RecordSubmission | RecordCredit | ConfirmPayment | FailPayment

import type { Payment } from '../payment/index.ts'
import type { Refund } from '../refund/index.ts'
import type { Behind } from './behind.ts'

export const behindPayment: Behind<typeof Payment> = (_, { type, data }) => {
  switch (type) {
    case 'PaymentOpened':
      return [{ type: 'OpenPayment', ...data }]
    case 'PaymentSubmitted':
      return [{ type: 'RecordSubmission', ...data }]
    case 'PaymentCredited':
      return [{ type: 'RecordCredit', ...data }]
    case 'PaymentConfirmed':
      return [{ type: 'ConfirmPayment', ...data }]
    case 'PaymentFailed': {
      const { failedAt, ...failure } = data
      return [{ type: 'FailPayment', ...failure, at: failedAt }]
    }
    case 'RefundClaimed':
      return [{ type: 'ClaimRefund', ...data }]
    case 'RefundReleased':
      return [{ type: 'ReleaseRefund', ...data }]
    case 'ReturnClaimed':
      return [{ type: 'ClaimReturn' }]
    case 'PaymentRefunded':
      return [{ type: 'RecordRefunded', refundId: data.refundId, at: data.refundedAt }]
  }
}

export const behindRefund: Behind<typeof Refund> = (_, { type, data }, __, at) => {
  switch (type) {
    case 'RefundRequested':
      return [{ type: 'RequestRefund', ...data }]
    case 'RefundPostponed':
      return [{ type: 'PostponeRefund', ...data }]
    case 'RefundWaitEnded':
      return [{ type: 'EndRefundWait', at }]
    case 'RefundSucceeded':
      return [{ type: 'SettleRefund', ...data }]
    case 'RefundFailed': {
      const { failedAt, ...failure } = data
      const failed = { type: 'FailRefund' as const, ...failure, at: failedAt }
      return failure.reason === 'canceled' ? [failed, { type: 'CancelRefund', at: failedAt }] : [failed]
    }
  }
}

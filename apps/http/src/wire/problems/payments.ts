import { assetCode } from '@quittance/domain'
import { gone, type Of, type Problem, type Problems } from './problem.ts'

/** Problems of destinations. */
const unfit = (reason: Of<'DestinationUnfit'>['reason'], param: string | undefined): Problem => {
  switch (reason) {
    case 'not_found':
      return [409, 'destination_not_found', 'The receiving account does not exist on the ledger', param]
    case 'no_trustline':
      return [409, 'destination_no_trustline', 'The receiving account does not trust the asset', param]
    case 'not_authorized':
      return [409, 'destination_not_authorized', 'The receiving account may not hold the asset', param]
    case 'full':
      return [409, 'destination_full', 'The receiving account has no room for the amount', param]
    case 'requires_memo':
      return [409, 'destination_requires_memo', 'The receiving account takes nothing without a memo of its own', param]
    case 'is_omnibus':
      return [409, 'destination_is_omnibus', 'The receiving account belongs to many, told apart by memos', param]
    case 'is_own':
      return [409, 'destination_is_own', 'The receiving account is the one that pays', param]
  }
}

export const paymentProblems = {
  PaymentNotFound: (_, { payment }) => gone('payment', payment),
  ReceiptNotFound: () => gone('receipt'),
  PaymentNotConfirmed: ({ status }, { payment }) => [
    409,
    'payment_not_confirmed',
    `The payment is ${status}`,
    payment,
    'payments',
  ],
  RefundNotFound: () => gone('refund'),
  RefundNotWaiting: () => [409, 'refund_not_cancelable', 'The refund is on its way to the ledger'],
  RefundIsSucceeded: () => [409, 'refund_not_cancelable', 'The refund has succeeded', undefined, 'refunds'],
  RefundIsFailed: () => [409, 'refund_not_cancelable', 'The refund has failed', undefined, 'refunds'],
  DestinationNotAllowed: (_, { destination }) => [
    403,
    'destination_not_allowed',
    'The account has not paid it, and is neither a registered payout destination nor a wallet that the customer has proven (a proof by an app token counts after 24 hours): naming it needs the scope destinations:write',
    destination,
  ],
  RefundExists: ({ refundId }, { payment }) => [
    409,
    'refund_exists',
    `The payment has a refund that is under way, or has succeeded: ${refundId}`,
    payment,
    'refunds',
  ],
  PerhapsPaid: ({ exceptionId }, { destination }) => [
    409,
    'perhaps_paid',
    `The same amount went to this account, and its purpose is not known any more: resolve ${exceptionId} first`,
    destination,
  ],
  PaymentBeforeReset: (_, { payment }) => [
    409,
    'payment_before_reset',
    'The network was reset since: what was paid is gone, and cannot be given back',
    payment,
  ],
  PaymentSetAside: (_, { payment }) => [
    409,
    'payment_set_aside',
    'The payment counts for nothing in its subscription: it goes back by itself',
    payment,
  ],
  CreditsSpent: (_, { payment }) => [
    409,
    'credits_spent',
    'Some of the credits that the payment has granted are consumed',
    payment,
  ],
  SettlementAccountUnfit: ({ assetId }) => [
    409,
    'merchant_not_ready',
    `The settlement account cannot pay ${assetCode(assetId)}: it does not trust the asset, or its issuer does not authorise it. GET /settlement says what to do`,
  ],
  DestinationUnfit: ({ reason }, { destination }) => unfit(reason, destination),
} satisfies Partial<Problems>

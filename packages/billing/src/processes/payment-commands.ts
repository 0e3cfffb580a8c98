import type { CheckoutId, PaymentCommand, PaymentId, PaymentState, Sealed, UnixMs, WalletId } from '@quittance/domain'
import type { ExistingCheckout } from './steps.ts'

/** Who paid, as far as the checkout knows its customer. */
export type Payer = { readonly walletId: WalletId | null; readonly billingDetails: Sealed | null }

/**
 * The commands that bring a payment to where its checkout says that it is. A payment that has ended takes no more;
 * commands that were carried out before are satisfied and add nothing.
 */
export const paymentCommands = (
  checkoutId: CheckoutId,
  checkout: ExistingCheckout,
  paymentId: PaymentId,
  payment: PaymentState,
  payer: Payer,
  at: UnixMs,
): ReadonlyArray<PaymentCommand> => {
  if (payment.status === 'confirmed' || payment.status === 'failed') return []
  const submissions = checkout.transactions.filter((each) => each.paymentId === paymentId)
  const hasFailed = checkout.failedPayments.includes(paymentId)
  const credits = hasFailed ? [] : checkout.accepted
  return [
    ...(payment.status === 'absent' ? [open(checkoutId, checkout, submissions.length > 0)] : []),
    ...submissions.map(({ transactionHash, maxTime }) => ({
      type: 'RecordSubmission' as const,
      transactionHash,
      maxTime,
    })),
    ...credits.map((credit) => ({ type: 'RecordCredit' as const, credit })),
    ...(hasFailed
      ? [{ type: 'FailPayment' as const, reason: 'transaction_dead' as const, at }]
      : end(checkout, payer, at)),
  ]
}

const open = (
  checkoutId: CheckoutId,
  { details, customerId }: ExistingCheckout,
  isSubmitted: boolean,
): PaymentCommand => ({
  type: 'OpenPayment',
  checkoutId,
  customerId,
  productId: details.productId,
  subscriptionId: null,
  assetId: details.assetId,
  currencyCode: details.price._tag === 'fiat' ? details.price.currency : null,
  amountCents: details.price._tag === 'fiat' ? details.price.cents : null,
  metadata: details.metadata,
  cause: isSubmitted ? 'submission' : 'credit',
})

/** Confirmed once the price is covered; failed as underpaid once the session has failed with something received. */
const end = (checkout: ExistingCheckout, payer: Payer, at: UnixMs): ReadonlyArray<PaymentCommand> => {
  switch (checkout.status) {
    case 'open':
    case 'enrolled':
    case 'expired':
      return []
    case 'settled':
    case 'completed': {
      if (checkout.settlement === null) return []
      const { excess, overpaid, late, transactionHash } = checkout.settlement
      return [{ type: 'ConfirmPayment', excess, overpaid, late, transactionHash, ...payer }]
    }
    case 'failed':
      return checkout.received > 0n ? [{ type: 'FailPayment', reason: 'underpaid', at }] : []
  }
}

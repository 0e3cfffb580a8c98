import {
  type IncomingPayment,
  InvoiceId,
  type PaymentCommand,
  type PaymentId,
  type PaymentState,
  type Sealed,
  type UnixMs,
  type WalletId,
} from '@quittance/domain'
import { checkoutIdOf, type SessionId } from '../../kernel/session-kinds.ts'
import type { ExistingCheckout } from './session.ts'

/** The payer, as far as the checkout knows its customer. */
export type Payer = { readonly walletId: WalletId | null; readonly billingDetails: Sealed | null }

/**
 * The commands that bring a payment to the state that its checkout implies. A payment that has ended takes no more;
 * commands that were carried out before add nothing.
 */
export const paymentCommands = (
  id: SessionId,
  checkout: ExistingCheckout,
  paymentId: PaymentId,
  payment: PaymentState,
  payer: Payer,
  at: UnixMs,
): ReadonlyArray<PaymentCommand> => {
  if (payment.status === 'confirmed' || payment.status === 'failed') return []
  const submissions = checkout.transactions.filter((each) => each.paymentId === paymentId)
  const hasFailed = checkout.failedPayments.includes(paymentId)
  const recorded = new Set(payment.status === 'absent' ? [] : payment.incomingPayments.map(nameOf))
  const accepted = hasFailed ? [] : checkout.accepted.filter((each) => !recorded.has(nameOf(each)))
  return [
    ...(payment.status === 'absent' ? [open(id, checkout, submissions.length > 0)] : []),
    ...submissions.map(({ transactionHash, maxTime }) => ({
      type: 'RecordSubmission' as const,
      transactionHash,
      maxTime,
    })),
    ...accepted.map((credit) => ({ type: 'RecordCredit' as const, credit })),
    ...(hasFailed
      ? [{ type: 'FailPayment' as const, reason: 'transaction_dead' as const, at }]
      : end(checkout, payer, at)),
  ]
}

const nameOf = ({ transactionHash, operationIndex, ordinal }: IncomingPayment): string =>
  `${transactionHash}/${operationIndex}/${ordinal}`

const open = (id: SessionId, { details, customerId }: ExistingCheckout, isSubmitted: boolean): PaymentCommand => ({
  type: 'OpenPayment',
  checkoutId: checkoutIdOf(id, details),
  customerId,
  productId: details.productId,
  subscriptionId: details.invoice?.subscriptionId ?? null,
  assetId: details.assetId,
  currencyCode: details.price._tag === 'fiat' ? details.price.currency : null,
  amountCents: details.price._tag === 'fiat' ? details.price.cents : null,
  metadata: details.metadata,
  cause: isSubmitted ? 'submission' : 'credit',
  ...(details.platformFee === undefined ? {} : { platformFee: details.platformFee }),
  ...(details.invoice === undefined || !InvoiceId.is(id) ? {} : { period: details.invoice.n, invoiceId: id }),
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

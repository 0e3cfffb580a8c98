import type { CheckoutEvent, PaymentEvent } from '@quittance/domain'
import { grantChanged, isEntitledBy } from './access-facts.ts'
import { bought, covered, keep, type Recall } from './memory.ts'
import { allOf, nothing, type Publication, publish, remember } from './publication.ts'

export const checkoutFacts = (event: CheckoutEvent, id: string): Publication => {
  switch (event.type) {
    case 'CheckoutCreated':
      return publish('checkout.created', id)
    case 'CheckoutCompleted':
    case 'CheckoutCompletedUnpaid':
      return publish('checkout.completed', id)
    case 'CheckoutExpired':
      return publish('checkout.expired', id)
    case 'CheckoutFailed':
      return publish('checkout.failed', id)
    case 'CheckoutSettled':
      return remember(keep(covered, event.data.paymentId, true))
    case 'QuoteIssued':
    case 'CustomerAttached':
    case 'MandateOffered':
    case 'EnrolmentSeen':
    case 'EnrolmentRefused':
    case 'TransactionSubmitted':
    case 'TransactionDied':
    case 'PaymentAttemptFailed':
    case 'CreditAccepted':
    case 'CreditSetAside':
      return nothing
  }
}

/** The subscription publishes what happens to its invoices; here an invoice only says when its price is covered. */
export const invoiceFacts = (event: CheckoutEvent): Publication =>
  event.type === 'CheckoutSettled' ? remember(keep(covered, event.data.paymentId, true)) : nothing

/**
 * An incoming payment is partial until the checkout has found the price covered: the one that covers it is recorded after
 * that. Refunds publish events of their own; here a refund ends what the payment had granted.
 */
export const paymentFacts = (event: PaymentEvent, id: string, recall: Recall): Publication => {
  switch (event.type) {
    case 'PaymentOpened': {
      const { customerId, productId, subscriptionId, invoiceId } = event.data
      const isSale = customerId !== null && productId !== null
      // A charge comes whole.
      const isCharge = subscriptionId !== null && invoiceId === undefined
      return allOf(
        publish('payment.pending', id),
        isSale ? remember(keep(bought, id, { customerId, productId })) : nothing,
        isCharge ? remember(keep(covered, id, true)) : nothing,
      )
    }
    case 'PaymentCredited':
      return recall(covered, id) === null ? publish('payment.partially_received', id) : nothing
    case 'PaymentConfirmed': {
      const { excess, overpaid, late } = event.data
      return allOf(
        publish('payment.confirmed', id),
        excess + overpaid > 0n ? publish('payment.overpaid', id) : nothing,
        late ? publish('payment.late', id) : nothing,
        granted(recall, id, true),
        remember(keep(covered, id, null)),
      )
    }
    case 'PaymentFailed':
      return publish('payment.failed', id)
    case 'PaymentRefunded':
      return granted(recall, id, false)
    case 'PaymentSubmitted':
    case 'RefundClaimed':
    case 'RefundReleased':
    case 'ReturnClaimed':
      return nothing
  }
}

const granted = (recall: Recall, paymentId: string, isGranting: boolean): Publication => {
  const sale = recall(bought, paymentId)
  return sale !== null && isEntitledBy(recall, sale.productId, 'payment')
    ? grantChanged(recall, sale, paymentId, isGranting)
    : nothing
}

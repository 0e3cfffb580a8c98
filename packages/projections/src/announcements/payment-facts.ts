import type { CheckoutEvent, PaymentEvent } from '@quittance/domain'
import { grantChanged, isEntitledBy } from './access-facts.ts'
import { bought, covered, keep, type Recall } from './memory.ts'
import { both, nothing, type Telling, tell } from './told.ts'

export const checkoutFacts = (event: CheckoutEvent, id: string): Telling => {
  switch (event.type) {
    case 'CheckoutCreated':
      return tell('checkout.created', id)
    case 'CheckoutCompleted':
    case 'CheckoutCompletedUnpaid':
      return tell('checkout.completed', id)
    case 'CheckoutExpired':
      return tell('checkout.expired', id)
    case 'CheckoutFailed':
      return tell('checkout.failed', id)
    case 'CheckoutSettled':
      return { told: [], kept: [keep(covered, event.data.paymentId, true)] }
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

/** What there is to tell of an invoice is its subscription's to tell; here it says when the price is covered. */
export const invoiceFacts = (event: CheckoutEvent): Telling =>
  event.type === 'CheckoutSettled' ? { told: [], kept: [keep(covered, event.data.paymentId, true)] } : nothing

/**
 * A credit is a part as long as the checkout has not found the price covered: the one that covers it is recorded behind
 * that. Of a refund its own stream tells; here it ends what the payment had granted.
 */
export const paymentFacts = (event: PaymentEvent, id: string, recall: Recall): Telling => {
  switch (event.type) {
    case 'PaymentOpened': {
      const { customerId, productId, subscriptionId, invoiceId } = event.data
      const isSale = customerId !== null && productId !== null
      return both(tell('payment.pending', id), {
        told: [],
        kept: [
          ...(isSale ? [keep(bought, id, { customerId, productId })] : []),
          // A charge comes whole.
          ...(subscriptionId === null || invoiceId !== undefined ? [] : [keep(covered, id, true)]),
        ],
      })
    }
    case 'PaymentCredited':
      return recall(covered, id) === null ? tell('payment.partially_received', id) : nothing
    case 'PaymentConfirmed': {
      const { excess, overpaid, late } = event.data
      return both(
        tell('payment.confirmed', id),
        excess + overpaid > 0n ? tell('payment.overpaid', id) : nothing,
        late ? tell('payment.late', id) : nothing,
        granted(recall, id, true),
        { told: [], kept: [keep(covered, id, null)] },
      )
    }
    case 'PaymentFailed':
      return tell('payment.failed', id)
    case 'PaymentRefunded':
      return granted(recall, id, false)
    case 'PaymentSubmitted':
    case 'RefundClaimed':
    case 'RefundReleased':
    case 'ReturnClaimed':
      return nothing
  }
}

const granted = (recall: Recall, paymentId: string, isGranting: boolean): Telling => {
  const sale = recall(bought, paymentId)
  return sale !== null && isEntitledBy(recall, sale.productId, 'payment')
    ? grantChanged(recall, sale, paymentId, isGranting)
    : nothing
}

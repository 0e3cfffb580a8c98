import { type RecordedEvent, Subscription } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Linked, link, unlinked } from './link.ts'
import { chargeLink, chargeOrderLink } from './payment-links.ts'
import { confirmationLink } from './session-links.ts'

/** Reads the stream of a subscription. */
export const subscriptionLinks =
  (id: string): ((recorded: RecordedEvent) => Linked) =>
  (recorded) => {
    const decoded = Subscription.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'SubscriptionStarted') {
      const { checkoutId, terms, assetId } = data.details
      return { needs: [link('plan', checkoutId, terms.productId, assetId)] }
    }
    if (type === 'ChargeAttempted')
      return { says: [chargeLink(id, data.paymentId, data), chargeOrderLink(data.paymentId, data)] }
    if (type === 'ChargeConfirmed' || type === 'InvoiceSettled' || type === 'PaymentSetAside')
      return { needs: [confirmationLink(data.paymentId, data.amount, data.transactionHash)] }
    return unlinked
  }

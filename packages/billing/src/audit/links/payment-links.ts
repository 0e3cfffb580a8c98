import { Payment, type PaymentConfirmation, type PaymentDetails, type RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Link, type Linked, link, unlinked } from './link.ts'
import { confirmationLink, creditLink, saleLink } from './session-links.ts'

/** An attempt to charge for a period, and its payment. */
export const chargeLink = (
  subscriptionId: string | null,
  paymentId: string,
  { n, amount }: { readonly n: number | undefined; readonly amount: bigint | undefined },
): Link => link('charge', subscriptionId, paymentId, n ?? null, amount ?? null)

/** A charge that an attempt asks for. */
export const chargeOrderLink = (
  paymentId: string,
  { mandateId, amount }: { readonly mandateId: string; readonly amount: bigint },
): Link => link('order', paymentId, mandateId, amount)

/** Money that a mandate brings to the payment of a charge. */
export const chargedLink = (
  paymentId: string,
  { from, amount, assetId }: { readonly from: string; readonly amount: bigint; readonly assetId: string },
): Link => link('credit', paymentId, from, amount, assetId)

/** Money that goes back by a refund. */
export const refundClaimLink = (
  refundId: string,
  paymentId: string,
  { destination, amount, assetId }: { readonly destination: string; readonly amount: bigint; readonly assetId: string },
): Link => link('claim', refundId, paymentId, destination, amount, assetId)

/** A payment and its refund that a ledger holds. */
export const refundLink = (refundId: string, paymentId: string): Link => link('refund', refundId, paymentId)

/** Reads the stream of a payment. */
export const paymentLinks = (id: string): ((recorded: RecordedEvent) => Linked) => {
  let details: PaymentDetails | null = null
  let confirmation: PaymentConfirmation | null = null
  return (recorded) => {
    const decoded = Payment.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'PaymentOpened') {
      details = data
      return { needs: [openedBy(id, data)] }
    }
    if (details === null) return unlinked
    const isCharge = details.cause === 'renewal'
    if (type === 'PaymentCredited') {
      const { credit } = data
      return { needs: [isCharge ? chargedLink(id, credit) : creditLink(sessionOf(details), credit)] }
    }
    if (type === 'PaymentConfirmed') {
      confirmation = data
      const { amount, transactionHash } = data
      return {
        says: [confirmationLink(id, amount, transactionHash)],
        needs: isCharge ? [] : [link('settlement', sessionOf(details), id, amount, transactionHash)],
      }
    }
    if (type === 'RefundClaimed' && confirmation !== null) {
      const { refundId, destination, amount = confirmation.amount } = data
      return { says: [refundClaimLink(refundId, id, { destination, amount, assetId: details.assetId })] }
    }
    return type === 'PaymentRefunded' ? { needs: [refundLink(data.refundId, id)] } : unlinked
  }
}

const sessionOf = ({ checkoutId, invoiceId }: PaymentDetails): string => invoiceId ?? checkoutId

const openedBy = (id: string, details: PaymentDetails): Link => {
  const { cause, subscriptionId, period: n, amountDue: amount, currencyCode: currency, amountCents: cents } = details
  return cause === 'renewal'
    ? chargeLink(subscriptionId, id, { n, amount })
    : saleLink(sessionOf(details), id, details, { currency, cents })
}

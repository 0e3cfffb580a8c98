import { Checkout, type CheckoutDetails, type IncomingPayment, type RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Link, type Linked, link, unlinked } from './link.ts'

/** A payment of a session, and what is sold in it for what. */
export const saleLink = (
  sessionId: string,
  paymentId: string,
  { productId, assetId }: Pick<CheckoutDetails, 'productId' | 'assetId'>,
  price: { readonly currency: string | null; readonly cents: bigint | null },
): Link => link('sale', sessionId, paymentId, productId, assetId, price.currency, price.cents)

/** Money that came for a session. */
export const creditLink = (
  sessionId: string,
  { transactionHash, operationIndex, ordinal, from, amount, assetId }: IncomingPayment,
): Link => link('credit', sessionId, transactionHash, operationIndex, ordinal ?? null, from, amount, assetId)

/** Money that a confirmed payment has brought to where it counts. */
export const confirmationLink = (paymentId: string, amount: bigint, transactionHash: string): Link =>
  link('confirmation', paymentId, amount, transactionHash)

/** Reads the stream of a checkout, or of the session of an invoice. */
export const sessionLinks = (id: string): ((recorded: RecordedEvent) => Linked) => {
  let details: CheckoutDetails | null = null
  let settled: Link | null = null
  const sale = (paymentId: string): ReadonlyArray<Link> => {
    if (details === null) return []
    const { price } = details
    return [saleLink(id, paymentId, details, price._tag === 'fiat' ? price : { currency: null, cents: null })]
  }
  return (recorded) => {
    const decoded = Checkout.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'CheckoutCreated') {
      details = data
      return data.subscription === undefined ? unlinked : { says: [link('plan', id, data.productId, data.assetId)] }
    }
    if (type === 'TransactionSubmitted') return { says: sale(data.paymentId) }
    if (type === 'CreditAccepted') return { says: [...sale(data.paymentId), creditLink(id, data.credit)] }
    if (type === 'CheckoutSettled') {
      const { paymentId, received, excess, transactionHash } = data
      settled = confirmationLink(paymentId, received - excess, transactionHash)
      return { says: [link('settlement', id, paymentId, received - excess, transactionHash)] }
    }
    return type === 'CheckoutCompleted' && settled !== null ? { needs: [settled] } : unlinked
  }
}

import { type Environment, Merchant } from '@quittance/domain'
import { type Found, type PaymentRow, payments } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { publicSession } from '../../features/paying/session.ts'
import { retrieveAnywhere, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { paymentOfReceipt } from '../../resources/receipt-link.ts'
import { type Seller, sellerResource } from '../../resources/seller.ts'
import { type PortalPayment, portalPayment } from '../portal-payment.ts'
import type { PortalServices } from '../services.ts'
import { type ReceiptRate, ratesOf } from './rates.ts'
import { type ReceiptRefund, refundsOf } from './refunds.ts'

/** Nothing was paid, or nobody made this address. */
export type ReceiptNotFound = { readonly _tag: 'ReceiptNotFound' }

/** What a payer has paid, and what came back since. `number` is the payment's id. */
export type Receipt = Pick<PortalPayment, 'subject' | 'purpose' | 'period' | 'amount' | 'amount_cents'> & {
  readonly number: string
  readonly environment: Environment
  readonly merchant: string
  readonly seller: Seller
  readonly paidAt: string
  /** Who has paid; null for guests, for erased customers, and where others may look: from a checkout or the portal. */
  readonly customer: PaymentResource['billing_details']
  /** Null where the price was stated in the asset. */
  readonly currency: string | null
  /** The part of `amount` that is more than the price. */
  readonly overpaid: string | null
  readonly rates: ReadonlyArray<ReceiptRate>
  readonly transactions: PaymentResource['transactions']
  readonly refunds: ReadonlyArray<ReceiptRefund>
  /** It did not count, and goes back. */
  readonly isReturned: boolean
}

/** The receipts of payments, open to anyone with their address. */
export interface Receipts {
  /** By the last part of its address. */
  readonly byToken: (token: string) => TE.TaskEither<StoreUnavailable | ReceiptNotFound, Receipt>
  /** Of what completed a checkout or an invoice, without the person. */
  readonly bySession: (id: string) => TE.TaskEither<StoreUnavailable | ReceiptNotFound, Receipt>
}

const notFound: E.Either<ReceiptNotFound, never> = E.left({ _tag: 'ReceiptNotFound' })

export const receipts = (services: PortalServices): Receipts => ({
  byToken: (token) => async () => {
    const paid = await paymentOfReceipt(services.vault, token)
    if (paid === null) return notFound
    const receipt = await receiptOf(services, paid.id)
    return paid.isNamed ? receipt : E.map(withoutPerson)(receipt)
  },
  bySession: (id) => async () => {
    const session = await publicSession(services, id)
    if (E.isLeft(session)) return session.left._tag === 'CheckoutNotFound' ? notFound : E.left(session.left)
    const { paymentId } = session.right.state
    return paymentId === null ? notFound : E.map(withoutPerson)(await receiptOf(services, paymentId))
  },
})

const withoutPerson = (receipt: Receipt): Receipt => ({ ...receipt, customer: null })

const receiptOf = async (
  services: PortalServices,
  id: string,
): Promise<E.Either<StoreUnavailable | ReceiptNotFound, Receipt>> => {
  const payment = await retrieveAnywhere(services.store)(payments, id)
  if (E.isLeft(payment)) return payment
  const found = O.toNullable(payment.right)
  if (found === null || found.row.status !== 'confirmed') return notFound
  const merchant = await stateOf(services.store)(Merchant, found.merchantId)
  if (E.isLeft(merchant)) return merchant
  const { state } = merchant.right
  if (state.status === 'absent') return notFound
  const rates = await ratesOf(services, found)
  if (E.isLeft(rates)) return rates
  const refunds = await refundsOf(services, found)
  if (E.isLeft(refunds)) return refunds
  const { profile, logo } = state.environments[found.environment]
  const who = { merchant: state.name, seller: sellerResource(profile, logo) }
  return E.right({ ...(await shown(services, found)), ...who, rates: rates.right, refunds: refunds.right })
}

const shown = async (services: PortalServices, found: Found<PaymentRow>) => {
  const { details } = found.row
  const { subject, purpose, period, amount, amount_cents, at } = await portalPayment(services)(found)
  const { billing_details, transactions, overpaid_amount } = await paymentResource(services, null)(found)
  return {
    number: found.id,
    environment: found.environment,
    paidAt: at,
    customer: billing_details,
    subject,
    purpose,
    period,
    amount,
    amount_cents,
    currency: details.currencyCode,
    overpaid: overpaid_amount,
    transactions,
    isReturned: found.row.status === 'confirmed' && found.row.isReturned,
  }
}

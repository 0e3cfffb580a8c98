import type { InvoiceId, Period, SubscriptionId } from '@quittance/domain'
import type { Found, PaymentRow } from '@quittance/projections'
import { timestamp } from '../resources/fields.ts'
import { type PaymentResource, paymentResource } from '../resources/payment.ts'
import type { Services } from '../services/services.ts'

/**
 * A payment as its payer sees it. `amount` is such as `12.5 USDC`; `at` is its confirmation, or else its beginning.
 * `subject` is the product's name or the merchant's description; `purpose` is what was paid; `period` is the period of
 * a renewal, once its charge is recorded, or of an invoice.
 */
export type PortalPayment = Pick<PaymentResource, 'id' | 'amount' | 'status' | 'amount_cents' | 'transaction_hash'> & {
  readonly currency_code: string | null
  readonly at: string
  readonly subject: string | null
  readonly purpose: 'sale' | 'first_payment' | 'renewal' | 'invoice'
  readonly period: { readonly start: string; readonly end: string } | null
}

type Reading = Pick<Services, 'readModels' | 'vault'>

export const portalPayment =
  (services: Reading) =>
  (found: Found<PaymentRow>): PortalPayment => {
    const { id, amount, status, amount_cents, transaction_hash, currency_code, confirmed_at, created_at } =
      paymentResource(services.vault, null)(found)
    const { details } = found.row
    const { products, checkouts } = services.readModels
    const checkout = checkouts.withId(details.checkoutId)?.row.details
    const product = details.productId === null ? null : products.withId(details.productId)
    const period = periodOf(services, found)
    return {
      id,
      amount,
      status,
      amount_cents,
      transaction_hash,
      currency_code,
      at: confirmed_at ?? created_at,
      subject: product?.row.details.name ?? checkout?.description ?? null,
      purpose: purposeOf(details, checkout?.subscription !== undefined),
      period: period === null ? null : { start: timestamp(period.start), end: timestamp(period.end) },
    }
  }

const purposeOf = (
  { invoiceId, subscriptionId }: PaymentRow['details'],
  isSubscription: boolean,
): PortalPayment['purpose'] => {
  if (invoiceId !== undefined) return 'invoice'
  if (subscriptionId !== null) return 'renewal'
  return isSubscription ? 'first_payment' : 'sale'
}

const periodOf = (services: Reading, { id, row: { details } }: Found<PaymentRow>): Period | null => {
  const { invoiceId, subscriptionId } = details
  if (subscriptionId === null) return null
  return invoiceId === undefined ? chargedPeriod(services, id) : invoicedPeriod(services, subscriptionId, invoiceId)
}

const chargedPeriod = ({ readModels }: Reading, paymentId: string): Period | null => {
  const action = readModels.intents.withKey(paymentId).map(({ row }) => row.details.action)[0]
  return action?._tag === 'charge' ? { start: action.periodStart, end: action.periodEnd } : null
}

const invoicedPeriod = ({ readModels }: Reading, id: SubscriptionId, invoiceId: InvoiceId): Period | null => {
  const invoices = readModels.subscriptions.withId(id)?.row.invoices
  return invoices?.find(({ invoice }) => invoice.invoiceId === invoiceId)?.invoice.period ?? null
}

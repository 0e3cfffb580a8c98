import type { InvoiceId, Period, SubscriptionId } from '@quittance/domain'
import type { Found, PaymentRow } from '@quittance/projections'
import { timestamp } from '../resources/fields.ts'
import { type PaymentResource, paymentResource } from '../resources/payment.ts'
import { receiptUrl } from '../resources/receipt-link.ts'
import type { Services } from '../services/services.ts'

/**
 * A payment as its payer sees it. `amount` is such as `12.5 USDC`; `at` is its confirmation, or else its beginning.
 * `subject` is the product's name or the merchant's description; `purpose` is what was paid; `period` is the period of
 * a renewal, once its charge is recorded, or of an invoice.
 */
export type PortalPayment = Pick<
  PaymentResource,
  'id' | 'amount' | 'status' | 'amount_cents' | 'transaction_hash' | 'receipt_url'
> & {
  readonly currency_code: string | null
  readonly at: string
  readonly subject: string | null
  readonly purpose: 'sale' | 'first_payment' | 'renewal' | 'invoice'
  readonly period: { readonly start: string; readonly end: string } | null
}

type Reading = Pick<Services, 'readModels' | 'vault' | 'publicUrl'>

export const portalPayment =
  (services: Reading) =>
  async (found: Found<PaymentRow>): Promise<PortalPayment> => {
    const { id, amount, status, amount_cents, transaction_hash, currency_code, confirmed_at, created_at } =
      await paymentResource(services, null)(found)
    const { details } = found.row
    const { products, checkouts } = services.readModels
    const checkout = (await checkouts.withId(details.checkoutId))?.row.details
    const product = details.productId === null ? null : await products.withId(details.productId)
    const period = await periodOf(services, found)
    return {
      id,
      amount,
      status,
      amount_cents,
      transaction_hash,
      receipt_url: status === 'confirmed' ? await receiptUrl(services, id, 'unnamed') : null,
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

const periodOf = async (services: Reading, { id, row: { details } }: Found<PaymentRow>): Promise<Period | null> => {
  const { invoiceId, subscriptionId } = details
  if (subscriptionId === null) return null
  return invoiceId === undefined
    ? await chargedPeriod(services, id)
    : await invoicedPeriod(services, subscriptionId, invoiceId)
}

const chargedPeriod = async ({ readModels }: Reading, paymentId: string): Promise<Period | null> => {
  const action = (await readModels.intents.withKey(paymentId)).map(({ row }) => row.details.action)[0]
  return action?._tag === 'charge' ? { start: action.periodStart, end: action.periodEnd } : null
}

const invoicedPeriod = async (
  { readModels }: Reading,
  id: SubscriptionId,
  invoiceId: InvoiceId,
): Promise<Period | null> => {
  const invoices = (await readModels.subscriptions.withId(id))?.row.invoices
  return invoices?.find(({ invoice }) => invoice.invoiceId === invoiceId)?.invoice.period ?? null
}

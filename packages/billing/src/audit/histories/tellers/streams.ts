import {
  Checkout,
  Customer,
  Exception,
  Intent,
  InvoiceSession,
  Payment,
  Payout,
  PriceChange,
  Product,
  Refund,
  Subscription,
} from '@quittance/domain'

const named =
  ({ category }: { readonly category: string }) =>
  (id: string): string =>
    `${category}-${id}`

/** The names of the streams of resources. */
export const stream = {
  checkout: named(Checkout),
  customer: named(Customer),
  exception: named(Exception),
  intent: named(Intent),
  invoice: named(InvoiceSession),
  payment: named(Payment),
  payout: named(Payout),
  priceChange: named(PriceChange),
  product: named(Product),
  refund: named(Refund),
  subscription: named(Subscription),
}

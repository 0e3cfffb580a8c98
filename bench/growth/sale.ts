import {
  asText,
  Checkout,
  Customer,
  HttpUrl,
  KeyedHash,
  type NewEvent,
  Payment,
  Sealed,
  Webhook,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { commandsOf } from '../sales.ts'
import { checkoutOf, customerOf, digestOf, endpointOf, momentOf, paymentOf, productOf, transactionOf } from './names.ts'
import { recordedAt } from './recorded-at.ts'

/** Events that begin a stream. */
export type Begun = { readonly stream: string; readonly events: ReadonlyArray<NewEvent> }

/** As long as a sealed name and email. */
const profile = decoded(Sealed, 'A'.repeat(120))

/** The n-th sale, to a new customer: eleven events in three streams. */
export const sale = (n: number): ReadonlyArray<Begun> => {
  const [customerId, checkoutId, paymentId] = [customerOf(n), checkoutOf(n), paymentOf(n)]
  const created = { type: 'CreateCustomer' as const, profile, phoneHash: null }
  const emailHash = decoded(KeyedHash, digestOf('email', n))
  const { checkout, payment } = commandsOf({
    ...{ checkoutId, paymentId, transactionHash: transactionOf('sale', n), at: momentOf(n) },
    buyer: { customerId, productId: productOf(n) },
  })
  return [
    { stream: `${Customer.category}-${customerId}`, events: recordedAt(n, 1, Customer, [{ ...created, emailHash }]) },
    { stream: `${Checkout.category}-${checkoutId}`, events: recordedAt(n, 2, Checkout, checkout) },
    { stream: `${Payment.category}-${paymentId}`, events: recordedAt(n, 3, Payment, payment) },
  ]
}

/** The n-th endpoint for webhooks. */
export const endpoint = (n: number): Begun => {
  const details = {
    ...{ name: asText(`Endpoint ${n}`), url: decoded(HttpUrl, `https://shop.example/hooks/${n}`), description: null },
    events: [asText('payment.confirmed')],
  }
  const created = { type: 'CreateWebhook' as const, details, secretName: asText(`secret ${n}`) }
  return {
    stream: `${Webhook.category}-${endpointOf(n)}`,
    events: recordedAt(n, 4, Webhook, [{ ...created, allowed: 'https', others: n }]),
  }
}

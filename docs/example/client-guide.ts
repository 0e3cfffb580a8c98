import { createClient } from '@quittance/client'

const { QUITTANCE_API_URL = '', QUITTANCE_API_KEY = '' } = process.env
const quittance = createClient({ baseUrl: QUITTANCE_API_URL, apiKey: QUITTANCE_API_KEY })
const book = await quittance.products.create({
  name: 'A book',
  type: 'one_time',
  currency_code: 'EUR',
  price_amount: 12.5,
})
const checkout = await quittance.checkouts.createForProduct({ product_id: book.id, customer_email: 'ada@example.com' })
console.log('The customer pays at', checkout.payment_url)
for await (const payment of quittance.payments.list({ status: 'confirmed' })) console.log(payment.amount)

const club = await quittance.products.create({
  name: 'A book club',
  type: 'subscription',
  recurring_period: 'month',
  currency_code: 'EUR',
  price_amount: 10,
})
const sale = await quittance.checkouts.createForProduct({ product_id: club.id, customer_email: 'ada@example.com' })
// The customer signs at sale.payment_url. In the sandbox, a lent wallet can sign instead:
await quittance.sandbox.pay({ checkout_id: sale.id })
const { customer_id, subscription_id } = await quittance.checkouts.retrieve(sale.id)
if (customer_id === null || subscription_id === null) throw new Error('The customer has not signed yet')
for await (const { id, status } of quittance.subscriptions.list(customer_id)) console.log(id, status)

await quittance.subscriptions.pause(subscription_id)
await quittance.subscriptions.resume(subscription_id)
await quittance.subscriptions.cancel(subscription_id) // at the end of the paid period
await quittance.subscriptions.update(subscription_id, { cancel_at_period_end: false }) // unless it is undone until then
const canceled = await quittance.subscriptions.cancel(subscription_id, 'now')
console.log(canceled.status, (await quittance.subscriptions.history(subscription_id)).data.length > 0)

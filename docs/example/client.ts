/**
 * A sale through the typed client: a product, a checkout, a payment with the sandbox's test money, and access.
 *
 *     npm start                        # in one terminal
 *     node docs/example/client.ts      # in another
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, QuittanceError } from '@quittance/client'

const dataDir = process.env.QUITTANCE_DATA_DIR ?? 'data'
const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))
const quittance = createClient({ baseUrl, apiKey })

const product = await quittance.products.create({
  name: 'The Art of the Ledger',
  type: 'one_time',
  currency_code: 'EUR',
  price_amount: 12.5,
})
const customer = await quittance.customers.create({ email: `ada.${Date.now()}@example.com`, name: 'Ada' })

// With an idempotency key, the same order has one checkout, however often this runs.
const checkout = await quittance.checkouts.createForProduct(
  { product_id: product.id, customer_id: customer.id },
  { idempotencyKey: `order of ${customer.id}` },
)

// The customer pays. Outside the sandbox, send the customer to `checkout.payment_url`.
await quittance.sandbox.pay({ checkout_id: checkout.id })
for await (const { status } of quittance.payer.follow(checkout.id)) console.log('checkout', status)

for await (const payment of quittance.payments.list({ customer: customer.id })) {
  console.log('payment ', payment.status, payment.amount)
}
const access = await quittance.customers.access(customer.id, product.id)
console.log('access  ', access.has_access)

try {
  await quittance.customers.create({ email: String(customer.email), name: 'Another Ada' })
} catch (error) {
  if (!(error instanceof QuittanceError)) throw error
  console.log('refused ', error.code)
}

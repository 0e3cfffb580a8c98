/** A shop that sells one e-book through Quittance: it creates checkouts, hears of payments, and checks access. */
import { randomUUID } from 'node:crypto'
import express from 'express'
import { Webhook } from 'standardwebhooks'

const { QUITTANCE_URL, QUITTANCE_KEY, PORT = '4000' } = process.env
if (!QUITTANCE_URL || !QUITTANCE_KEY) throw new Error('Set QUITTANCE_URL and QUITTANCE_KEY: README.md says how')
const address = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`

/**
 * Sends a request and answers what came back. Repeated under one idempotency key, a change happens once, and has the
 * same answer.
 * @param {string} path
 * @param {{ body: object, key: string }} [change]
 */
const quittance = async (path, change) => {
  const answer = await fetch(`${QUITTANCE_URL}${path}`, {
    headers: {
      'x-api-key': QUITTANCE_KEY,
      ...(change && { 'content-type': 'application/json', 'idempotency-key': change.key }),
    },
    ...(change && { method: 'POST', body: JSON.stringify(change.body) }),
  })
  const content = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${content.code}: ${content.error}`)
  return content
}

// The keys make every start find the same product and the same endpoint, with the same secret.
const book = { name: 'An e-book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const product = (await quittance('/product', { body: book, key: 'the e-book' })).data
const endpoint = { name: 'Shop', url: `${address}/webhooks/quittance`, events: ['payment.confirmed'] }
const { secret } = (await quittance('/webhooks', { body: endpoint, key: `webhook of ${address}` })).data
const webhook = new Webhook(secret)

/**
 * The orders by their ids, and the events that were handled. A real shop keeps both in its database, and changes them in
 * one transaction.
 * @type {Map<string, { status: 'open' | 'paid', customer: string | null, pay_at: string }>}
 */
const orders = new Map()
const handled = new Set()

const app = express()

// The signature is of the bytes as they came. So this route stands before express.json(), and has a parser of its own.
app.post('/webhooks/quittance', express.raw({ type: 'application/json' }), (request, response) => {
  try {
    webhook.verify(request.body, /** @type {Record<string, string>} */ (request.headers))
  } catch {
    return response.status(400).json({ error: 'not signed by Quittance' })
  }
  const event = JSON.parse(request.body.toString())
  if (!handled.has(event.id)) {
    const order = orders.get(event.data.metadata?.order)
    if (order && event.type === 'payment.confirmed') {
      order.status = 'paid'
      order.customer = event.data.customer_id
    }
    handled.add(event.id)
  }
  return response.sendStatus(204)
})

app.use(express.json())

app.post('/orders', async (request, response) => {
  const { email } = request.body ?? {}
  if (typeof email !== 'string') return response.status(400).json({ error: 'Send { "email": … }' })
  const id = randomUUID()
  const body = {
    product_id: product.id,
    customer_email: email,
    redirect_url: `${address}/orders/${id}`,
    metadata: { order: id },
  }
  const checkout = (await quittance('/checkout?type=product', { body, key: `order ${id}` })).data
  orders.set(id, { status: 'open', customer: null, pay_at: checkout.payment_url })
  return response.status(201).json({ id, ...orders.get(id) })
})

app.get('/orders/:id', (request, response) => {
  const order = orders.get(request.params.id)
  if (order) response.json({ id: request.params.id, ...order })
  else response.status(404).json({ error: 'no such order' })
})

app.get('/read/:customer', async (request, response) => {
  const customer = encodeURIComponent(request.params.customer)
  const access = await quittance(`/customers/${customer}/access/${product.id}`)
  if (access.has_access) response.json({ chapter: 'It was a dark and stormy night.' })
  else response.status(402).json({ error: 'Please buy the book first' })
})

/** @type {express.ErrorRequestHandler} */
const answerError = (error, _request, response, _next) => {
  console.error(error)
  response.status(error.status ?? 502).json({ error: 'This cannot be done now' })
}
app.use(answerError)

const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`The shop is at ${address}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())

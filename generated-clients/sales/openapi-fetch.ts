import { setTimeout as pause } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from './schema'

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })

/** What was asked for. Throws what the service says instead. */
const dataOf = async <A>(answer: Promise<{ data?: { data: A }; error?: unknown }>): Promise<A> => {
  const { data, error } = await answer
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data
}

const until = async <A>(ask: () => Promise<A>, isDone: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    await pause(50)
  }
}

const buy = async (product_id: string) => {
  const body = { product_id, customer_email: 'ada@openapi-fetch.example' }
  const { id } = await dataOf(client.POST('/checkout', { params: { query: { type: 'product' } }, body }))
  await dataOf(client.POST('/sandbox/pay', { body: { checkout_id: id } }))
  return until(
    () => dataOf(client.GET('/checkout/{id}', { params: { path: { id } } })),
    ({ status }) => status === 'completed',
  )
}

const book = await dataOf(
  client.POST('/product', {
    body: { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5, metadata: { shelf: 'B4' } },
  }),
)
const { metadata } = await dataOf(client.GET('/product/{id}', { params: { path: { id: book.id } } }))
const { customer_id, payment_id } = await buy(book.id)
const payment = await dataOf(client.GET('/payment/{id}', { params: { path: { id: payment_id ?? '' } } }))
const access = await client.GET('/customers/{id}/access/{product}', {
  params: { path: { id: customer_id ?? '', product: book.id } },
})

const magazine = await dataOf(
  client.POST('/product', {
    body: {
      name: 'A magazine',
      type: 'subscription',
      currency_code: 'USD',
      price_amount: 5,
      recurring_period: 'month',
    },
  }),
)
const { subscription_id } = await buy(magazine.id)
const subscribed = { params: { path: { id: subscription_id ?? '' } } }
await dataOf(client.POST('/subscriptions/{id}/cancel', subscribed))
const subscription = await dataOf(client.GET('/subscriptions/{id}', subscribed))

const { id } = await dataOf(client.POST('/refunds', { body: { payment_id: payment.id } }))
const refund = await until(
  () => dataOf(client.GET('/refunds/{id}', { params: { path: { id } } })),
  ({ status }) => status !== 'pending',
)
const events = await dataOf(
  client.GET('/events', { params: { query: { type: 'payment.confirmed', resource_id: payment.id } } }),
)
console.log(
  JSON.stringify({
    shelf: metadata.shelf,
    payment: payment.status,
    price: payment.amount_cents,
    has_access: access.data?.has_access,
    ends_with_its_period: subscription.cancel_at_period_end,
    refund: refund.status,
    events: events.data.length,
  }),
)

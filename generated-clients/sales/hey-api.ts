import { setTimeout as pause } from 'node:timers/promises'
import {
  cancelSubscription,
  checkAccess,
  createCheckout,
  createProduct,
  createRefund,
  getCheckout,
  getPayment,
  getProduct,
  getRefund,
  getSubscription,
  listEvents,
  payInSandbox,
} from './client'
import { client } from './client/client.gen'

const [, , baseUrl = '', key = ''] = process.argv
client.setConfig({ baseUrl, auth: ({ name }) => (name === 'x-api-key' ? key : undefined), throwOnError: true })

const throwOnError = true

const until = async <A>(ask: () => Promise<A>, isDone: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    await pause(50)
  }
}

const buy = async (product_id: string) => {
  const body = { product_id, customer_email: 'ada@hey-api.example' }
  const { data } = await createCheckout({ query: { type: 'product' }, body, throwOnError })
  const { id } = data.data
  await payInSandbox({ body: { checkout_id: id }, throwOnError })
  const { data: completed } = await until(
    () => getCheckout({ path: { id }, throwOnError }),
    (answer) => answer.data.data.status === 'completed',
  )
  return completed.data
}

const { data: book } = await createProduct({
  body: { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5, metadata: { shelf: 'B4' } },
  throwOnError,
})
const { data: shown } = await getProduct({ path: { id: book.data.id }, throwOnError })
const { customer_id, payment_id } = await buy(book.data.id)
const { data: payment } = await getPayment({ path: { id: payment_id ?? '' }, throwOnError })
const { data: access } = await checkAccess({ path: { id: customer_id ?? '', product: book.data.id }, throwOnError })

const { data: magazine } = await createProduct({
  body: { name: 'A magazine', type: 'subscription', currency_code: 'USD', price_amount: 5, recurring_period: 'month' },
  throwOnError,
})
const { subscription_id } = await buy(magazine.data.id)
const path = { id: subscription_id ?? '' }
await cancelSubscription({ path, throwOnError })
const { data: subscription } = await getSubscription({ path, throwOnError })

const { data: asked } = await createRefund({ body: { payment_id: payment.data.id }, throwOnError })
const { data: refund } = await until(
  () => getRefund({ path: { id: asked.data.id }, throwOnError }),
  (answer) => answer.data.data.status !== 'pending',
)
const { data: events } = await listEvents({
  query: { type: 'payment.confirmed', resource_id: payment.data.id },
  throwOnError,
})
console.log(
  JSON.stringify({
    shelf: shown.data.metadata.shelf,
    payment: payment.data.status,
    price: payment.data.amount_cents,
    has_access: access.has_access,
    ends_with_its_period: subscription.data.cancel_at_period_end,
    refund: refund.data.status,
    events: events.data.data.length,
  }),
)

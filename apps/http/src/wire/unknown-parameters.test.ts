import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
let access: string
beforeAll(async () => {
  service = await startService()
  const customer = await service.api('/customers', { body: { email: 'ada@example.com', name: 'Ada' } })
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const product = await service.api('/product', { body: book })
  access = `/customers/${customer.body.data.id}/access/${product.body.data.id}`
})
afterAll(() => service.close())

const lists = ['/product', '/products', '/customers', '/checkout', '/payment', '/payments']
describe('a query parameter', () => {
  it('ignores an unknown query parameter', async () => {
    expect((await service.api(`${access}?utm=1`)).status).toBe(200)
    expect(await Promise.all(lists.map(async (path) => (await service.api(`${path}?utm=1&at=2`)).status))).toEqual(
      lists.map(() => 200),
    )
  })

  it.each([
    ['/payment', 'customer'],
    ['/payment', 'subscription_id'],
    ['/payment', 'status'],
    ['/checkout', 'customer'],
    ['/refunds', 'payment_id'],
    ['/subscriptions', 'customer_id'],
    ['/events', 'resource_id'],
    ['/events', 'type'],
  ])('refuses an empty filter of %s: %s', async (path, parameter) =>
    expect(await service.api(`${path}?${parameter}=`)).toMatchObject({
      status: 400,
      body: problem('invalid_request', parameter),
    }),
  )
})

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
const narrowed: ReadonlyArray<readonly [string, string]> = [
  ['/payment', 'subscription_id'],
  ['/payments', 'subscription_id'],
]

describe('a parameter by which an answer cannot be narrowed yet', () => {
  it.each(narrowed)('is refused on the list %s, by its name: %s', async (path, name) => {
    for (const query of [`${name}=1`, `${encodeURIComponent(name)}=1`, `limit=5&${name}=1&${name}=2`]) {
      const { status, body } = await service.api(`${path}?${query}`)
      expect({ query, status, body }).toEqual({ query, status: 400, body: problem('invalid_request', name) })
    }
  })

  it('is not what nobody has heard of: that is ignored', async () => {
    expect((await service.api(`${access}?utm=1`)).status).toBe(200)
    expect(await Promise.all(lists.map(async (path) => (await service.api(`${path}?utm=1&at=2`)).status))).toEqual(
      lists.map(() => 200),
    )
  })
})

import { problem } from '../testing/client.ts'
import { openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const under = (key: string, body: object | string = book, path = '/product') =>
  service.api(path, { body, headers: { 'idempotency-key': key } })
const counted = async () => (await service.api('/product?limit=100')).body.data.data.length

describe('a request with an idempotency key', () => {
  it('a request with a key takes effect once, and gets the same answer when it is repeated', async () => {
    const before = await counted()
    const first = await under('once')
    const second = await under('once')
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body })
    expect(await counted()).toBe(before + 1)
  })

  it('the same request without a key is a new request', async () => {
    const [one, other] = [await service.api('/product', { body: book }), await service.api('/product', { body: book })]
    expect(one.body.data.id).not.toBe(other.body.data.id)
  })

  it.each([
    ['body', { ...book, name: 'Another book' }, '/product'],
    ['spelling of the body', JSON.stringify(book, null, 1), '/product'],
    ['path', book, '/products'],
    ['query', book, '/product?a=b'],
  ])('refuses a key that comes with another %s', async (what, body, path) => {
    await under(`other ${what}`)
    const answer = await under(`other ${what}`, body, path)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 422,
      body: problem('idempotency_key_reused'),
    })
  })

  it.each([
    ['/product', book, { ...book, name: 5 }],
    ['/product', book, { ...book, metadata: [] }],
    ['/customers', { email: 'first@example.com', name: 'First' }, [{ email: 'nobody' }]],
    ['/checkout?type=direct', { amount: 5, currency_code: 'XLM' }, { amount: '5', currency_code: 'XLM' }],
    ['/checkout?type=direct', { amount: 5, currency_code: 'XLM' }, []],
  ])('refuses a reused key before it judges the body: %s', async (path, body, malformed) => {
    const key = `judged ${path} ${JSON.stringify(malformed)}`
    const first = await under(key, body, path)
    const answer = await under(key, malformed, path)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 422,
      body: problem('idempotency_key_reused'),
    })
    expect((await under(key, body, path)).body).toEqual(first.body)
  })

  it('a request that arrives twice at the same time takes effect once', async () => {
    const before = await counted()
    const answers = await Promise.all(Array.from({ length: 8 }, () => under('at once')))
    const done = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 409)
    expect(done.length + refused.length).toBe(8)
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1)
    for (const { body, headers } of refused) {
      expect({ body, retryAfter: headers.get('retry-after') }).toEqual({
        body: problem('request_in_progress'),
        retryAfter: expect.stringMatching(/^\d+$/),
      })
    }
    expect(await counted()).toBe(before + 1)
  })

  it('a refused request frees its key', async () => {
    expect((await under('free again', { ...book, price_amount: 0 })).status).toBe(400)
    expect((await under('free again', { ...book, name: 5 })).status).toBe(400)
    expect((await under('free again')).status).toBe(200)
  })

  it('a repeated request gets the same answer after later changes', async () => {
    const { body: product } = await under('product')
    const session = { product_id: product.data.id, customer_email: 'ada@example.com' }
    const first = await under('session', session, '/checkout?type=product')
    await service.api(`/checkout/${first.body.data.id}/expire`, { method: 'POST' })
    expect((await under('session', session, '/checkout?type=product')).body).toEqual(first.body)
  })

  it('keys cover requests without a body', async () => {
    const { body } = await service.api('/customers', { body: { email: 'gone@example.com', name: 'Gone' } })
    const remove = () =>
      service.api(`/customers/${body.data.id}`, { method: 'DELETE', headers: { 'idempotency-key': 'remove' } })
    expect((await remove()).body).toEqual({ data: null })
    expect(await remove()).toMatchObject({ status: 200, body: { data: null } })
  })

  it('each merchant has its own keys', async () => {
    const operator = await openOperator(service.dataDir)
    try {
      const { secret } = await operator.createMerchant('Another merchant')
      const [mine, theirs] = [
        await under('shared'),
        await service.api('/product', { body: book, headers: { 'idempotency-key': 'shared', 'x-api-key': secret } }),
      ]
      expect(theirs.status).toBe(200)
      expect(theirs.body.data.id).not.toBe(mine.body.data.id)
    } finally {
      await operator.close()
    }
  })

  it.each([
    ['empty', ''],
    ['256 characters long', 'k'.repeat(256)],
  ])('refuses a key that is %s', async (_, key) => {
    const { status, body } = await under(key)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_idempotency_key') })
  })

  it('accepts a key of 255 characters', async () => {
    expect((await under('k'.repeat(255))).status).toBe(200)
  })
})

import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const create = (change: object, path = '/product') => service.api(path, { body: { ...book, ...change } })

describe('a change of a product', () => {
  const made = async (change: object = {}) => (await create(change)).body.data
  const change = (id: string, body: object | string, path = '/product') =>
    service.api(`${path}/${id}`, { method: 'PUT', body })

  it('changes only the given fields of a product, and retrieves it as answered', async () => {
    const before = await made({ description: 'A novel', images: ['https://a.example/1.png'], metadata: { a: 1, b: 2 } })
    const { status, body } = await change(before.id, { name: 'The book', metadata: { a: null, c: 1.5 } })
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { ...before, name: 'The book', metadata: { b: 2, c: 1.5 }, updated_at: isoTime } },
    })
    expect((await service.api(`/products/${before.id}`)).body).toEqual(body)
    const more = { description: null, images: [], asset_id: 'native', status: 'archived' }
    expect((await change(before.id, more, '/products')).body.data).toMatchObject(more)
  })

  it('accepts every field of a response as a change of a product', async () => {
    for (const product of [await made(), await made({ type: 'subscription', recurring_period: 'month' })]) {
      const { status, body } = await change(product.id, product)
      expect({ status, body }).toEqual({ status: 200, body: { data: product } })
    }
  })

  it.each([
    ['"price_amount": 13', 1300],
    ['"price_amount_cents": 1301', 1301],
    ['"price_amount": 4503599627.37, "price_amount_cents": 450359962737', 450_359_962_737],
  ])('reprices a product exactly, in either notation: %s', async (price, cents) => {
    const { id } = await made()
    const { body } = await change(id, `{${price}}`)
    expect([body.data?.price_amount_cents, body.data?.price_amount]).toEqual([cents, cents / 100])
  })

  it('a new period of a product applies to later sales', async () => {
    const plan = await made({ type: 'subscription', recurring_period: 'month' })
    const { body } = await change(plan.id, { recurring_period: 'year' })
    expect(body.data).toEqual({ ...plan, recurring_period: 'year', updated_at: isoTime })
  })

  it.each([
    ['a name of null', { name: null }, 'invalid_request', 'name'],
    ['an empty name', { name: ' ' }, 'invalid_request', 'name'],
    ['a status there is not', { status: 'deleted' }, 'invalid_request', 'status'],
    ['a period', { recurring_period: 'month' }, 'recurring_period_not_allowed', 'recurring_period'],
    ['another currency', { currency_code: 'JPY', price_amount: 1000 }, 'invalid_request', 'currency_code'],
    ['a currency there is not', { currency_code: 'XXX' }, 'invalid_request', 'currency_code'],
    ['a price of zero', { price_amount: 0 }, 'amount_not_positive', 'price_amount'],
    ['two prices', { price_amount: 1, price_amount_cents: 1 }, 'amounts_disagree', 'price_amount_cents'],
    ['three decimals', { price_amount: 0.001 }, 'too_many_decimals', 'price_amount'],
    ['an asset that is not accepted', { asset_id: 'DOGE' }, 'unsupported_asset', 'asset_id'],
    ['metadata that is a list', { metadata: [] }, 'invalid_metadata', 'metadata'],
    ['a key of 41 characters', { metadata: { ['k'.repeat(41)]: 1 } }, 'invalid_metadata', 'metadata'],
    ['images that are no list', { images: null }, 'invalid_request', 'images'],
  ])('refuses a change to %s, and changes nothing', async (_, body, code, param) => {
    const product = await made()
    const answer = await change(product.id, { description: 'Changed', ...body })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
    expect((await service.api(`/product/${product.id}`)).body.data).toEqual(product)
  })

  it('changes a product once for each idempotency key', async () => {
    const { id } = await made()
    const send = (name: string) =>
      service.api(`/product/${id}`, { method: 'PUT', body: { name }, headers: { 'idempotency-key': `put ${id}` } })
    const first = await send('Once')
    await change(id, { name: 'Twice' })
    expect((await send('Once')).body).toEqual(first.body)
    expect((await send('Other')).status).toBe(422)
    expect((await service.api(`/product/${id}`)).body.data.name).toBe('Twice')
  })

  it('finds no product to change by an unknown id', async () => {
    for (const id of ['prod_0000000000000000000000', 'x', '__proto__']) {
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await service.api(`/product/${id}`, { method, body: { name: 'A book' } })
        expect({ method, status, body }).toEqual({ method, status: 404, body: problem('not_found') })
      }
    }
  })
})

describe('a deleted product', () => {
  it('archives a deleted product: it is found, not sold, and listed as archived', async () => {
    const { id } = (await create({})).body.data
    const remove = () =>
      service.api(`/product/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } })
    for (const _ of [1, 2]) {
      const { status, body } = await remove()
      expect({ status, body }).toEqual({ status: 200, body: { data: { id, object: 'product', deleted: true } } })
    }
    expect((await service.api(`/product/${id}`)).body.data).toMatchObject({ id, status: 'archived' })
    const archived = (await service.api('/product?status=archived&limit=1')).body.data.data
    expect(archived).toMatchObject([{ id }])
    const checkout = await service.api('/checkout?type=product', { body: { product_id: id } })
    expect({ status: checkout.status, body: checkout.body }).toEqual({
      status: 409,
      body: problem('product_archived', 'product_id'),
    })
    await service.api(`/product/${id}`, { method: 'PUT', body: { status: 'active' } })
    expect((await service.api('/checkout?type=product', { body: { product_id: id } })).status).toBe(200)
  })
})

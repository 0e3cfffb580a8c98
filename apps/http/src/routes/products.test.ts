import { problem } from '../testing/client.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const create = (change: object | string, path = '/product') =>
  service.api(path, { body: typeof change === 'string' ? change : { ...book, ...change } })

describe('a product', () => {
  it('has every documented field, null where it is unset', async () => {
    const { status, body, headers } = await create({})
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: expect.stringMatching(/^prod_[0-9A-Za-z]{22}$/),
          object: 'product',
          name: 'A book',
          description: null,
          images: [],
          type: 'one_time',
          status: 'active',
          asset_id: service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id,
          currency_code: 'EUR',
          price_amount: 12.5,
          price_amount_cents: 1250,
          recurring_period: null,
          trial_days: null,
          unit: null,
          units_per_credit: 1,
          total_credits: 0,
          metadata: {},
          environment: 'testnet',
          created_at: isoTime,
          updated_at: isoTime,
        },
      },
    })
    expect(headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('keeps everything that it was given, and is retrieved as it was answered', async () => {
    const { body: created } = await create({
      description: 'Über 300 Seiten',
      images: ['https://shop.example/book.png'],
      type: 'subscription',
      recurring_period: 'month',
      trial_days: 14,
      currency_code: 'usd',
      asset_id: 'native',
      total_credits: 100,
      units_per_credit: 5,
      unit: 'page',
      metadata: { shelf: 7, tags: ['a', 'b'], gone: null },
    })
    expect(created.data).toMatchObject({
      description: 'Über 300 Seiten',
      images: ['https://shop.example/book.png'],
      type: 'subscription',
      recurring_period: 'month',
      trial_days: 14,
      currency_code: 'USD',
      asset_id: 'native',
      total_credits: 100,
      units_per_credit: 5,
      unit: 'page',
      metadata: { shelf: 7, tags: ['a', 'b'] },
    })
    for (const path of ['product', 'products']) {
      expect((await service.api(`/${path}/${created.data.id}`)).body).toEqual(created)
    }
  })

  it.each([
    ['12.5', '"price_amount": 12.5', 1250],
    ['1250 cents', '"price_amount_cents": 1250', 1250],
    ['both spellings, which agree', '"price_amount": 12.50, "price_amount_cents": 1250.0', 1250],
    ['1e1', '"price_amount": 1e1', 1000],
    ['digits that binary floating point cannot hold', '"price_amount": 4503599627.37', 450359962737],
    ['0.1 and 0.2 in cents', '"price_amount": 0.30', 30],
    ['the largest price', '"price_amount_cents": 10000000000000', 10_000_000_000_000],
    ['the last of two equal keys', '"price_amount": 1, "price_amount": 2.5', 250],
  ])('takes the price as it is written: %s', async (_, price, cents) => {
    const { status, body } = await create(`{"name":"A book","type":"one_time","currency_code":"EUR",${price}}`)
    expect({ status, amount: body.data?.price_amount, cents: body.data?.price_amount_cents }).toEqual({
      status: 200,
      amount: cents / 100,
      cents,
    })
  })

  it.each([
    ['no amount', '', 'amount_missing', 'price_amount'],
    ['null', '"price_amount": null', 'amount_missing', 'price_amount'],
    ['zero', '"price_amount": 0', 'amount_not_positive', 'price_amount'],
    ['minus one', '"price_amount": -1', 'amount_not_positive', 'price_amount'],
    ['minus zero', '"price_amount": -0', 'amount_not_positive', 'price_amount'],
    ['three decimals', '"price_amount": 0.001', 'too_many_decimals', 'price_amount'],
    [
      'the sum of 0.1 and 0.2 in floating point',
      '"price_amount": 0.30000000000000004',
      'too_many_decimals',
      'price_amount',
    ],
    ['half a cent', '"price_amount_cents": 0.5', 'too_many_decimals', 'price_amount_cents'],
    ['1e400', '"price_amount": 1e400', 'amount_too_large', 'price_amount'],
    ['1e-400', '"price_amount": 1e-400', 'too_many_decimals', 'price_amount'],
    ['an exponent of many digits', '"price_amount": 1e999999999999', 'amount_too_large', 'price_amount'],
    [
      'one cent above the largest price',
      '"price_amount_cents": 10000000000001',
      'amount_too_large',
      'price_amount_cents',
    ],
    ['a number of 100,000 digits', `"price_amount": 1${'0'.repeat(100_000)}`, 'amount_too_large', 'price_amount'],
    [
      'two spellings that disagree',
      '"price_amount": 12.5, "price_amount_cents": 1251',
      'amounts_disagree',
      'price_amount_cents',
    ],
    ['a text', '"price_amount": "12.5"', 'invalid_request', 'price_amount'],
    ['an object', '"price_amount": {}', 'invalid_request', 'price_amount'],
    ['a list', '"price_amount": [12.5]', 'invalid_request', 'price_amount'],
    ['true', '"price_amount_cents": true', 'invalid_request', 'price_amount_cents'],
  ])('is refused with a price of %s', async (_, price, code, param) => {
    const fields = ['"name":"A book"', '"type":"one_time"', '"currency_code":"EUR"', ...(price === '' ? [] : [price])]
    const { status, body } = await create(`{${fields.join()}}`)
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it.each([
    ['JPY', 1000, 100_000],
    ['BHD', 1.234, 123],
    ['BHD', 1.235, 124],
    ['CLF', 1.2345, 123],
  ])('is priced in %s at %d', async (currency_code, price_amount, cents) => {
    const { body } = await create({ currency_code, price_amount })
    expect(body.data?.price_amount_cents).toBe(cents)
  })

  it.each([
    ['no name', { name: undefined }, 'invalid_request', 'name'],
    ['an empty name', { name: '  ' }, 'invalid_request', 'name'],
    ['a name of 251 characters', { name: 'x'.repeat(251) }, 'invalid_request', 'name'],
    ['a name with U+0000', { name: 'a\u0000b' }, 'invalid_request', 'name'],
    ['a name with a lone surrogate', { name: 'a\ud800b' }, 'invalid_request', 'name'],
    ['a number for a name', { name: 5 }, 'invalid_request', 'name'],
    ['an unknown type', { type: 'lifetime' }, 'invalid_request', 'type'],
    ['no type', { type: undefined }, 'invalid_request', 'type'],
    ['an unknown currency', { currency_code: 'XXX' }, 'invalid_request', 'currency_code'],
    ['a currency named like a property', { currency_code: 'constructor' }, 'invalid_request', 'currency_code'],
    ['half a yen', { currency_code: 'JPY', price_amount: 0.5 }, 'amount_not_whole', 'price_amount'],
    [
      'a yen and a half in cents',
      { currency_code: 'JPY', price_amount: undefined, price_amount_cents: 150 },
      'amount_not_whole',
      'price_amount_cents',
    ],
    ['a thousandth of a dinar', { currency_code: 'BHD', price_amount: 0.001 }, 'amount_rounds_to_zero', 'price_amount'],
    ['an asset that is not accepted', { asset_id: 'DOGE' }, 'unsupported_asset', 'asset_id'],
    ['a subscription without a period', { type: 'subscription' }, 'recurring_period_missing', 'recurring_period'],
    [
      'a period without a subscription',
      { recurring_period: 'day' },
      'recurring_period_not_allowed',
      'recurring_period',
    ],
    ['an unknown period', { type: 'subscription', recurring_period: 'hour' }, 'invalid_request', 'recurring_period'],
    ['a trial without a subscription', { trial_days: 3 }, 'trial_not_allowed', 'trial_days'],
    ['half a trial day', { trial_days: 0.5 }, 'invalid_request', 'trial_days'],
    [
      'a trial of 731 days',
      { type: 'subscription', recurring_period: 'month', trial_days: 731 },
      'trial_too_long',
      'trial_days',
    ],
    ['credits of nothing', { units_per_credit: 0 }, 'invalid_request', 'units_per_credit'],
    ['credits below zero', { total_credits: -1 }, 'invalid_request', 'total_credits'],
    ['an image that is no address', { images: ['javascript:alert(1)'] }, 'invalid_request', 'images'],
    ['one image that is no list', { images: 'https://a.example/b.png' }, 'invalid_request', 'images'],
    ['21 images', { images: Array.from({ length: 21 }, () => 'https://a.example/b.png') }, 'invalid_request', 'images'],
    ['metadata that is a list', { metadata: [] }, 'invalid_metadata', 'metadata'],
    ['metadata that is a text', { metadata: 'a' }, 'invalid_metadata', 'metadata'],
    [
      '51 keys',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) },
      'invalid_metadata',
      'metadata',
    ],
    ['a key of 41 characters', { metadata: { ['k'.repeat(41)]: 1 } }, 'invalid_metadata', 'metadata'],
    ['more than 16 KiB of metadata', { metadata: { a: 'x'.repeat(16_384) } }, 'invalid_metadata', 'metadata'],
  ])('is refused with %s', async (_, change, code, param) => {
    const { status, body } = await create(change)
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('may have metadata up to the limits', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.padStart(40, 'k'), n]))
    expect((await create({ metadata })).body.data.metadata).toEqual(metadata)
  })

  it('ignores fields that it does not know', async () => {
    expect((await create({ colour: 'red', id: 'prod_mine', status: 'archived' })).body.data).toMatchObject({
      status: 'active',
      name: 'A book',
    })
  })

  it('is not found under another id', async () => {
    for (const id of ['prod_0000000000000000000000', 'x', '%00', '__proto__']) {
      const { status, body } = await service.api(`/product/${id}`)
      expect({ status, body }).toEqual({ status: 404, body: problem('not_found') })
    }
  })
})

describe('a change of a product', () => {
  const made = async (change: object = {}) => (await create(change)).body.data
  const change = (id: string, body: object | string, path = '/product') =>
    service.api(`${path}/${id}`, { method: 'PUT', body })

  it('changes only what was sent, and is retrieved as it was answered', async () => {
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

  it('takes back everything that an answer shows', async () => {
    for (const product of [await made(), await made({ type: 'subscription', recurring_period: 'month' })]) {
      const { status, body } = await change(product.id, product)
      expect({ status, body }).toEqual({ status: 200, body: { data: product } })
    }
  })

  it.each([
    ['"price_amount": 13', 1300],
    ['"price_amount_cents": 1301', 1301],
    ['"price_amount": 4503599627.37, "price_amount_cents": 450359962737', 450_359_962_737],
  ])('reprices exactly, in either spelling: %s', async (price, cents) => {
    const { id } = await made()
    const { body } = await change(id, `{${price}}`)
    expect([body.data?.price_amount_cents, body.data?.price_amount]).toEqual([cents, cents / 100])
  })

  it('has another period from then on', async () => {
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
  ])('is refused with %s, and changes nothing', async (_, body, code, param) => {
    const product = await made()
    const answer = await change(product.id, { description: 'Changed', ...body })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
    expect((await service.api(`/product/${product.id}`)).body.data).toEqual(product)
  })

  it('is done once for each idempotency key', async () => {
    const { id } = await made()
    const send = (name: string) =>
      service.api(`/product/${id}`, { method: 'PUT', body: { name }, headers: { 'idempotency-key': `put ${id}` } })
    const first = await send('Once')
    await change(id, { name: 'Twice' })
    expect((await send('Once')).body).toEqual(first.body)
    expect((await send('Other')).status).toBe(422)
    expect((await service.api(`/product/${id}`)).body.data.name).toBe('Twice')
  })

  it('finds no product under another id', async () => {
    for (const id of ['prod_0000000000000000000000', 'x', '__proto__']) {
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await service.api(`/product/${id}`, { method, body: { name: 'A book' } })
        expect({ method, status, body }).toEqual({ method, status: 404, body: problem('not_found') })
      }
    }
  })
})

describe('a deleted product', () => {
  it('is archived: found, not sold, and among the archived ones', async () => {
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

describe('the list of products', () => {
  let ids: ReadonlyArray<string>
  beforeAll(async () => {
    const created: Array<string> = []
    for (let n = 0; n < 11; n++) created.unshift((await create({ name: `Volume ${n}` }, '/products')).body.data.id)
    ids = created
  })
  const listed = async (query: string) => {
    const { body } = await service.api(`/product?${query}`)
    return { ids: body.data.data.map(({ id }: { id: string }) => id), hasMore: body.data.has_more }
  }

  it('is the newest first, ten of them unless it is told otherwise', async () => {
    const { status, body } = await service.api('/product')
    expect({ status, object: body.data.object, url: body.data.url, more: body.data.has_more }).toEqual({
      status: 200,
      object: 'list',
      url: '/product',
      more: true,
    })
    expect(body.data.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10))
    expect(body.data.data[0]).toEqual((await service.api(`/product/${ids[0]}`)).body.data)
    expect((await service.api('/products')).body.data.url).toBe('/products')
  })

  it('goes on after a product, and back to the ones directly before it', async () => {
    expect(await listed('limit=3')).toEqual({ ids: ids.slice(0, 3), hasMore: true })
    expect(await listed(`limit=3&starting_after=${ids[2]}`)).toEqual({ ids: ids.slice(3, 6), hasMore: true })
    expect(await listed(`limit=2&ending_before=${ids[5]}`)).toEqual({ ids: ids.slice(3, 5), hasMore: true })
    expect(await listed(`limit=5&ending_before=${ids[5]}`)).toEqual({ ids: ids.slice(0, 5), hasMore: false })
    expect(await listed('status=active&limit=3')).toEqual({ ids: ids.slice(0, 3), hasMore: true })
  })

  it('can be narrowed by when they were made, together with a cursor', async () => {
    const at = async (id: string | undefined) => (await service.api(`/product/${id}`)).body.data.created_at
    const [from, before] = [await at(ids[6]), await at(ids[2])]
    const times = await Promise.all(ids.map(at))
    const inside = ids.filter((_, index) => String(times[index]) >= from && String(times[index]) < before)
    const range = `created[gte]=${from}&created[lt]=${before}`
    expect(await listed(`limit=100&${range}`)).toEqual({ ids: inside, hasMore: false })
    expect(await listed(`limit=2&${range}&starting_after=${inside[0]}`)).toEqual({
      ids: inside.slice(1, 3),
      hasMore: inside.length > 3,
    })
    expect(await listed(`limit=100&${range}&ending_before=${ids[10]}`)).toEqual({ ids: inside, hasMore: false })
    expect(await listed('created[lt]=1970-01-01T00:00:00Z')).toEqual({ ids: [], hasMore: false })
    const sameMoment = `${from.slice(0, -1)}000%2B00:00`
    expect(await listed(`limit=100&created[gte]=${sameMoment}&created[lt]=${before}`)).toEqual(
      await listed(`limit=100&${range}`),
    )
  })

  it.each([
    ['created[gte]=yesterday', 'created[gte]'],
    ['created[gte]=1700000000', 'created[gte]'],
    ['created[lt]=2026-11-20T10:00:00', 'created[lt]'],
    ['created[lt]=2026-02-28T10:00:00.Z', 'created[lt]'],
    ['created[lt]=2026-02-30T10:00:00Z', 'created[lt]'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[]=1&limit[]=2', 'query'],
    ['starting_after=prod_unknown', 'starting_after'],
    ['ending_before=prod_unknown', 'ending_before'],
    ['status=sold', 'status'],
  ])('is refused with ?%s', async (query, param) => {
    const { status, body } = await service.api(`/product?${query}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', param) })
  })

  it('is refused with two cursors', async () => {
    const { status, body } = await service.api(`/product?starting_after=${ids[0]}&ending_before=${ids[1]}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'ending_before') })
  })
})

describe('what prices are stated in, and what they settle in', () => {
  it('is listed: the 170 currencies', async () => {
    const { body } = await service.api('/currencies')
    expect(body.data.length).toBe(170)
    expect(body.data).toEqual(expect.arrayContaining(['EUR', 'JPY', 'USD']))
    expect(new Set(body.data).size).toBe(170)
  })

  it('is every one of the currencies, for a product and for a direct checkout', async () => {
    const currencies: ReadonlyArray<string> = (await service.api('/currencies')).body.data
    const taken = await Promise.all(
      currencies.map(async (currency_code) => {
        const product = await create({ currency_code, price_amount: 1000 })
        const checkout = await service.api('/checkout?type=direct', { body: { currency_code, amount: 1000 } })
        return [product, checkout].map(({ body: { data } }) => [
          data?.currency_code,
          data?.price_amount ?? data?.amount,
        ])
      }),
    )
    expect(taken).toEqual(currencies.map((code) => Array.from({ length: 2 }, () => [code, 1000])))
  }, 30_000)

  it('is listed: the assets, with their canonical issuers, the default one first', async () => {
    const { body } = await service.api('/assets')
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data.map(({ code }: { code: string }) => code).sort()).toEqual(['EURC', 'USDC', 'XLM'])
    for (const { code, issuer, asset_id } of service.facts.assets) {
      expect(body.data).toContainEqual({
        asset_id,
        code,
        description: expect.stringMatching(/./),
        canonicalIssuer: issuer,
        images: [],
      })
    }
  })
})

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
  it('returns a product with every documented field, null where it is unset', async () => {
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
          allow_multiple_subscriptions: false,
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

  it('keeps all input of a product, and retrieves it as answered', async () => {
    const { body: created } = await create({
      description: 'Über 300 Seiten',
      images: ['https://shop.example/book.png'],
      type: 'subscription',
      recurring_period: 'month',
      trial_days: 14,
      allow_multiple_subscriptions: true,
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
      allow_multiple_subscriptions: true,
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
  ])('keeps the notation of a price: %s', async (_, price, cents) => {
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
  ])('refuses a product with a price of %s', async (_, price, code, param) => {
    const fields = ['"name":"A book"', '"type":"one_time"', '"currency_code":"EUR"', ...(price === '' ? [] : [price])]
    const { status, body } = await create(`{${fields.join()}}`)
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it.each([
    ['JPY', 1000, 100_000],
    ['BHD', 1.234, 123],
    ['BHD', 1.235, 124],
    ['CLF', 1.2345, 123],
  ])('prices a product in %s at %d', async (currency_code, price_amount, cents) => {
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
  ])('refuses a product with %s', async (_, change, code, param) => {
    const { status, body } = await create(change)
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('accepts metadata up to the limits', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.padStart(40, 'k'), n]))
    expect((await create({ metadata })).body.data.metadata).toEqual(metadata)
  })

  it('ignores unknown fields of a product', async () => {
    expect((await create({ colour: 'red', id: 'prod_mine', status: 'archived' })).body.data).toMatchObject({
      status: 'active',
      name: 'A book',
    })
  })

  it('finds no product by an unknown id', async () => {
    for (const id of ['prod_0000000000000000000000', 'x', '%00', '__proto__']) {
      const { status, body } = await service.api(`/product/${id}`)
      expect({ status, body }).toEqual({ status: 404, body: problem('not_found') })
    }
  })
})

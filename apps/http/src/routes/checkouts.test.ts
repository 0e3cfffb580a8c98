import { problem } from '../testing/client.ts'
import { completed } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
let productId: string
beforeAll(async () => {
  service = await startService()
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  productId = (await service.api('/product', { body: book })).body.data.id
})
afterAll(() => service.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const sell = (body: object = {}) => service.api('/checkout?type=product', { body: { product_id: productId, ...body } })
/** A new subscription product. */
const plan = async (): Promise<string> => {
  const product = {
    name: 'P',
    type: 'subscription',
    recurring_period: 'month',
    currency_code: 'EUR',
    price_amount: 1,
  }
  return (await service.api('/product', { body: product })).body.data.id
}
const charge = (body: object | string) => service.api('/checkout?type=direct', { body })

describe('a checkout of a product', () => {
  it('returns a checkout with every documented field, null where it is unset', async () => {
    const { status, body } = await sell()
    const { id, created_at, expires_at } = body.data
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: expect.stringMatching(/^chk_[0-9A-Za-z]{22}$/),
          object: 'checkout',
          customer_id: null,
          product_id: productId,
          amount: null,
          amount_cents: null,
          currency_code: null,
          price: { amount: 12.5, amount_cents: 1250, currency_code: 'EUR' },
          asset_id: expect.stringMatching(/^USDC:G/),
          asset_code: 'USDC',
          amount_due: '13.5',
          plan: null,
          status: 'open',
          payment_url: `${service.url}/pay/${id}`,
          redirect_url: null,
          description: null,
          metadata: {},
          expires_at: isoTime,
          created_at: isoTime,
          completed_at: null,
          failure_reason: null,
          payment_id: null,
          subscription_id: null,
          terms: null,
          environment: 'testnet',
          late: false,
        },
      },
    })
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 60 * 60 * 1000)
    expect((await service.api(`/checkout/${id}`)).body).toEqual(body)
  })

  it('keeps the input of a checkout, and creates one customer for an email', async () => {
    const given = {
      customer_email: 'ada@example.com',
      redirect_url: 'https://shop.example/thanks?order=1',
      description: 'For Ada',
      metadata: { order: 1 },
    }
    const first = (await sell(given)).body.data
    const second = (await sell({ customer_email: ' ADA@example.com ' })).body.data
    expect(first).toMatchObject({
      redirect_url: given.redirect_url,
      description: given.description,
      metadata: given.metadata,
      customer_id: expect.stringMatching(/^cus_/),
    })
    expect(second.customer_id).toBe(first.customer_id)
    const { body } = await service.api(`/customers/${first.customer_id}`)
    expect(body.data).toMatchObject({ email: 'ada@example.com', name: null, phone: null })
  })

  it('finds the customer by id, then email, then phone number', async () => {
    const create = async (email: string, phone: string) =>
      (await service.api('/customers', { body: { email, name: 'A', phone } })).body.data.id
    const one = await create('one@example.com', '+1 555 0001')
    const two = await create('two@example.com', '+1 555 0002')
    const of = async (body: object) => (await sell(body)).body.data.customer_id
    expect(await of({ customer_id: one, customer_email: ' One@example.com', customer_phone: '+1 555 0002' })).toBe(one)
    expect(await of({ customer_email: 'two@example.com', customer_phone: '+1 555 0001' })).toBe(two)
    expect(await of({ customer_phone: '+1 (555) 0001' })).toBe(one)
  })

  it.each([
    ['no product', { product_id: undefined }, 400, problem('invalid_request', 'product_id')],
    ['an unknown product', { product_id: 'prod_x' }, 404, problem('not_found', 'product_id')],
    ['an unknown customer', { customer_id: 'cus_x' }, 404, problem('not_found', 'customer_id')],
    ['an invalid email', { customer_email: 'ada' }, 400, problem('invalid_request', 'customer_email')],
    ['a phone number without digits', { customer_phone: 'x' }, 400, problem('invalid_request', 'customer_phone')],
    [
      'a redirect to a script',
      { redirect_url: 'javascript:alert(1)' },
      400,
      problem('invalid_request', 'redirect_url'),
    ],
    ['a redirect without a host', { redirect_url: '/thanks' }, 400, problem('invalid_request', 'redirect_url')],
    ['metadata that is a list', { metadata: [1] }, 400, problem('invalid_metadata', 'metadata')],
  ])('refuses a product checkout with %s', async (_, change, status, body) => {
    const answer = await sell(change)
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
  })

  it.each([
    'https:///thanks',
    'https://?a=b',
    'https:\\\\shop.example',
    'https://\\shop.example',
    'https://#a',
    ...[' ', '\n', '\t', '\r', '\u001b', '\u007f', '\u0085', '\u00a0', '\u2028'].map(
      (c) => `https://shop.example/a${c}b`,
    ),
  ])('rejects redirect addresses that browsers would repair: %j', async (redirect_url) => {
    const { status, body } = await sell({ redirect_url })
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', 'redirect_url') })
  })

  it('creates no customer for a refused checkout', async () => {
    await sell({ product_id: 'prod_x', customer_email: 'nobody@example.com' })
    await sell({ metadata: 5, customer_email: 'nobody@example.com' })
    const { body } = await service.api('/customers?limit=100')
    expect(body.data.data.map(({ email }: { email: string }) => email)).not.toContain('nobody@example.com')
  })

  const quoteOf = async (id: string) => (await service.api(`/pay/${id}/quote`)).body.data

  it('shows what it costs as its quote does, before and after', async () => {
    for (const sale of [await sell(), await charge({ amount: 5, currency_code: 'XLM' })]) {
      const { data } = sale.body
      const { amount_due, asset_id, asset_code, currency_code } = await quoteOf(data.id)
      expect(data).toMatchObject({ amount_due, asset_id, asset_code, price: { currency_code } })
      expect((await service.api(`/checkout/${data.id}`)).body.data).toEqual(data)
      expect((await service.api('/checkout')).body.data.data).toContainEqual(data)
    }
  })

  it('shows what is still to be paid, and nothing once it is over', async () => {
    const { id } = (await charge({ amount: 5, currency_code: 'XLM' })).body.data
    const due = async () => (await service.api(`/checkout/${id}`)).body.data.amount_due
    await service.api('/sandbox/pay', { body: { checkout_id: id, amount: '4' } })
    expect(await due()).toBe('1')
    await service.api(`/checkout/${id}/expire`, { method: 'POST' })
    expect(await due()).toBeNull()
  })

  it('shows the plan of a subscription, and that its trial costs nothing now', async () => {
    const product_id = await plan()
    const price = { amount: 1, amount_cents: 100, currency_code: 'EUR' }
    expect((await sell({ product_id })).body.data).toMatchObject({
      price,
      amount_due: '1.08',
      plan: { recurring_period: 'month', trial_days: 0 },
    })
    expect((await sell({ product_id, subscription_data: { trial_days: 14 } })).body.data).toMatchObject({
      price,
      amount_due: '0',
      plan: { recurring_period: 'month', trial_days: 14 },
    })
  })

  it('shows no trial to a customer who has had it', async () => {
    const given = {
      product_id: await plan(),
      customer_email: 'again@example.com',
      subscription_data: { trial_days: 14 },
    }
    const { id } = (await sell(given)).body.data
    await service.api('/sandbox/pay', { body: { checkout_id: id } })
    const { subscription_id } = await completed(service, id)
    await service.api(`/subscriptions/${subscription_id}/cancel`, { body: { at: 'now' } })
    expect((await sell(given)).body.data).toMatchObject({ amount_due: '1.08', plan: { trial_days: 0 } })
    expect((await service.api(`/checkout/${id}`)).body.data).toMatchObject({
      amount_due: null,
      plan: { trial_days: 14 },
    })
  })

  it('a checkout sells a subscription, and its quote has the terms', async () => {
    const { data } = (await sell({ product_id: await plan() })).body
    expect(data).toMatchObject({ status: 'open', subscription_id: null, payment_id: null })
    expect(await quoteOf(data.id)).toMatchObject({ sep7_uri: null, mandate: { interval: 'month', trial_days: 0 } })
  })

  it('a checkout overrides the trial of the product, up to two years', async () => {
    const sellFor = async (days: number) => sell({ product_id: await plan(), subscription_data: { trial_days: days } })
    const { data } = (await sellFor(730)).body
    expect(await quoteOf(data.id)).toMatchObject({ amount_due: '0', mandate: { trial_days: 730, first_amount: '0' } })
    const { status, body } = await sellFor(731)
    expect({ status, body }).toEqual({ status: 400, body: problem('trial_too_long', 'subscription_data') })
  })

  it.each([
    ['a trial of what is no subscription', { trial_days: 14 }, 'trial_not_allowed', 'subscription_data'],
    ['half a trial day', { trial_days: 0.5 }, 'invalid_request', 'subscription_data'],
    ['a trial below zero', { trial_days: -1 }, 'invalid_request', 'subscription_data'],
    ['a text for its subscription data', 'trial', 'invalid_request', 'subscription_data'],
  ])('refuses a subscription checkout with %s', async (_, subscription_data, code, param) => {
    const { status, body } = await sell({ subscription_data })
    expect({ status, body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('a checkout may remove the trial of the product', async () => {
    for (const subscription_data of [null, {}, { trial_days: null }, { trial_days: 0 }]) {
      expect((await sell({ subscription_data })).status).toBe(200)
    }
  })
})

describe('a field of a checkout with nearly the right name, or of the other kind', () => {
  const refusal = ({ status, body }: Awaited<ReturnType<Service['api']>>) => [status, body.code, body.param, body.error]
  const refused = (param: string, given: string, meant: string) => [
    400,
    'invalid_request',
    param,
    `There is no field "${given}"${param === given ? ' here' : ''}. Did you mean "${meant}"?`,
  ]

  it.each([
    ['success_url', 'redirect_url'],
    ['return_url', 'redirect_url'],
    ['redirectUrl', 'redirect_url'],
    ['redirect_uri', 'redirect_url'],
    ['customer', 'customer_id'],
    ['customerEmail', 'customer_email'],
    ['email', 'customer_email'],
    ['product', 'product_id'],
    ['meta_data', 'metadata'],
    ['descripton', 'description'],
    ['trial_days', 'subscription_data.trial_days'],
    ['trial_period_days', 'subscription_data.trial_days'],
    ['trialPeriodDays', 'subscription_data.trial_days'],
    ['successUrl', 'redirect_url'],
    ['SUCCESS_URL', 'redirect_url'],
    ['subscriptiondata', 'subscription_data'],
  ])('is refused: %s for %s', async (given, meant) =>
    expect(refusal(await sell({ [given]: 'x' }))).toEqual(refused(given, given, meant)),
  )

  it.each(['trial_period_days', 'trialPeriodDays', 'trialDays', 'trial_day', 'trial_end', 'trialEnd'])(
    'is refused inside subscription_data: %s',
    async (given) =>
      expect(refusal(await sell({ product_id: await plan(), subscription_data: { [given]: 14 } }))).toEqual(
        refused('subscription_data', `subscription_data.${given}`, 'subscription_data.trial_days'),
      ),
  )

  it.each([
    ['currency', 'currency_code'],
    ['price_amount', 'amount'],
    ['amount_cent', 'amount_cents'],
    ['amountCents', 'amount_cents'],
  ])('is refused in a direct checkout: %s for %s', async (given, meant) => {
    const body = { amount: 5, currency_code: 'XLM', [given]: 5 }
    expect(refusal(await service.api('/checkout?type=direct', { body }))).toEqual(refused(given, given, meant))
  })

  it.each(['redirect-url', 'success-url', 'redirect_url ', 'rédirect_url', '<b>redirect_url</b>'])(
    'is refused without repeating it, if it has other signs than letters, digits and underscores: %s',
    async (given) =>
      expect(refusal(await sell({ [given]: 'https://a.example' }))).toEqual([
        400,
        'invalid_request',
        'body',
        'A field is unknown here. Did you mean "redirect_url"?',
      ]),
  )

  it.each(['trial-days', 'trial_days\n', 'trial_dàys'])(
    'is refused without repeating it inside subscription_data: %j',
    async (given) =>
      expect(refusal(await sell({ product_id: await plan(), subscription_data: { [given]: 14 } }))).toEqual([
        400,
        'invalid_request',
        'subscription_data',
        'A field is unknown in "subscription_data". Did you mean "subscription_data.trial_days"?',
      ]),
  )

  it.each<[string, unknown]>([
    ['product_id', 'prod_0350octnOHjxKc0nvAnxpS'],
    ['subscription_data', { trial_days: 14 }],
  ])('is refused in a direct checkout, which would sell nothing by it: %s', async (field, value) => {
    const sale = (given: unknown) =>
      service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM', [field]: given } })
    expect(refusal(await sale(value))).toEqual([
      400,
      'invalid_request',
      field,
      `"${field}" is a field of requests with ?type=product, and would be ignored here: leave it out`,
    ])
    expect((await sale(null)).status).toBe(200)
  })

  it('is refused although the right one is there, since only one of them can be meant', async () =>
    expect(refusal(await sell({ redirect_url: 'https://a.example', success_url: 'https://b.example' }))).toEqual(
      refused('success_url', 'success_url', 'redirect_url'),
    ))

  it.each<object>([
    { order_number: '1042', cancel_url: 'https://shop.example', id: 'x', payment_id: 'x', subscription_id: 'x' },
    { amount: 5, amount_cents: 500, currency_code: 'EUR', price_amount: 5, status: 'open', payment_url: 'x' },
    { constructor: 1, toString: 2, hasOwnProperty: 3, ['x'.repeat(5_000)]: 4, '<b>redirect</b>': 5 },
    { subscription_data: { metadata: {}, billing_cycle_anchor: 1, constructor: 1 } },
  ])('other unknown fields are ignored: %j', async (more) =>
    expect((await sell({ product_id: await plan(), ...more })).status).toBe(200),
  )

  it('is for other requests a field like any other that nobody knows', async () => {
    const body = { email: 'near-miss@example.com', name: 'Ada', phon: '123' }
    expect((await service.api('/customers', { body })).status).toBe(200)
  })
})

describe('a direct checkout', () => {
  it.each([
    ['a currency', '{"amount": 12.5, "currency_code": "eur"}', 12.5, 1250, 'EUR'],
    ['cents of a currency', '{"amount_cents": 1250, "currency_code": "EUR"}', 12.5, 1250, 'EUR'],
    ['an asset', '{"amount": 0.0000001, "currency_code": "XLM"}', 0.0000001, 0.00001, 'XLM'],
    ['hundredths of an asset', '{"amount_cents": 0.00001, "currency_code": "xlm"}', 0.0000001, 0.00001, 'XLM'],
    ['an asset with seven decimals', '{"amount": 12.3456789, "currency_code": "USDC"}', 12.3456789, 1234.56789, 'USDC'],
  ])('accepts a direct checkout in %s', async (_, body, amount, amount_cents, currency_code) => {
    const answer = await charge(body)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ product_id: null, amount, amount_cents, currency_code, status: 'open' })
  })

  it('accepts the other fields of a product checkout in a direct one', async () => {
    const given = {
      redirect_url: 'https://shop.example/thanks',
      description: 'For Bob',
      metadata: { order: 2 },
    }
    const person = { customer_email: 'bob@example.com' }
    const { data } = (await charge({ amount: 5, currency_code: 'EUR', ...given, ...person })).body
    const customer = (await service.api(`/customers/${data.customer_id}`)).body.data
    expect({ ...data, email: customer.email }).toMatchObject({ ...given, email: person.customer_email })
    const of = async (more: object) =>
      (await charge({ amount: 5, currency_code: 'EUR', ...more })).body.data.customer_id
    expect(await of({ customer_id: customer.id })).toBe(customer.id)
    expect(await of({ customer_phone: '+1 555 0003' })).toBe(await of({ customer_phone: '+1 (555) 0003' }))
  })

  it('settles a direct checkout in the named asset, by code or full name', async () => {
    for (const asset of service.facts.assets) {
      for (const currency_code of [asset.code, asset.asset_id]) {
        const { body } = await charge({ amount: 1.5, currency_code })
        const quote = await service.anyone(`/pay/${body.data.id}/quote`)
        expect(quote.body.data).toMatchObject({ asset_id: asset.asset_id, amount: '1.5', rates: [] })
      }
    }
  })

  it.each([
    ['no amount', '{"currency_code":"EUR"}', 'amount_missing', 'amount'],
    ['no currency', '{"amount":1}', 'invalid_request', 'currency_code'],
    ['zero', '{"amount":0,"currency_code":"EUR"}', 'amount_not_positive', 'amount'],
    ['zero cents', '{"amount_cents":0,"currency_code":"EUR"}', 'amount_not_positive', 'amount_cents'],
    ['a text', '{"amount":"1","currency_code":"EUR"}', 'invalid_request', 'amount'],
    ['half a yen', '{"amount":0.5,"currency_code":"JPY"}', 'amount_not_whole', 'amount'],
    ['half a cent', '{"amount":0.005,"currency_code":"EUR"}', 'too_many_decimals', 'amount'],
    [
      'spellings that disagree',
      '{"amount":1,"amount_cents":1,"currency_code":"EUR"}',
      'amounts_disagree',
      'amount_cents',
    ],
    ['less than a stroop', '{"amount":0.00000001,"currency_code":"XLM"}', 'too_many_decimals', 'amount'],
    ['more than all stroops', '{"amount":922337203685.4775808,"currency_code":"XLM"}', 'amount_too_large', 'amount'],
    ['1e400', '{"amount":1e400,"currency_code":"XLM"}', 'amount_too_large', 'amount'],
    ['an unknown code', '{"amount":1,"currency_code":"DOGE"}', 'unsupported_asset', 'currency_code'],
    ['the code of a look-alike', '{"amount":1,"currency_code":"USDC:GAAAA"}', 'unsupported_asset', 'currency_code'],
  ])('refuses a direct checkout with %s', async (_, body, code, param) => {
    const answer = await charge(body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: problem(code, param) })
  })

  it('limits a direct checkout to the room of the settlement account, to the stroop', async () => {
    const { balance } = (await service.api('/settlement')).body.data
    expect(balance).toBe('10000')
    const { body } = await charge('{"amount":922337193685.4775807,"currency_code":"XLM"}')
    expect((await service.anyone(`/pay/${body.data.id}/quote`)).body.data.amount).toBe('922337193685.4775807')
    expect(await charge('{"amount":922337193685.4775808,"currency_code":"XLM"}')).toMatchObject({
      status: 409,
      body: { code: 'merchant_not_ready' },
    })
  })

  it('gives no quote above what an account can hold', async () => {
    const dear = { name: 'A', type: 'one_time', currency_code: 'KWD', price_amount: 1e11, asset_id: 'native' }
    const { id } = (await service.api('/product', { body: dear })).body.data
    const { body } = await sell({ product_id: id })
    const quote = await service.anyone(`/pay/${body.data.id}/quote`)
    expect({ status: quote.status, body: quote.body }).toEqual({ status: 400, body: problem('amount_too_large') })
  })
})

describe('a checkout', () => {
  it.each([
    ['', 'type'],
    ['?type=', 'type'],
    ['?type=gift', 'type'],
    ['?type=product&type=direct', 'type'],
    ['?type[]=product', 'query'],
  ])('requires the type product or direct: not %s', async (query, param) => {
    const { status, body } = await service.api(`/checkout${query}`, { body: { product_id: productId } })
    expect({ status, body }).toEqual({
      status: 400,
      body: problem('invalid_request', param),
    })
  })

  it('ends a checkout that the merchant expires, for good', async () => {
    const { id } = (await sell()).body.data
    const expire = () =>
      service.api(`/checkout/${id}/expire`, { method: 'POST', headers: { 'content-type': 'application/json' } })
    const ended = await expire()
    expect({ status: ended.status, state: ended.body.data.status }).toEqual({ status: 200, state: 'expired' })
    expect((await expire()).body).toEqual(ended.body)
    expect((await service.api(`/checkout/${id}`)).body).toEqual(ended.body)
    const unknown = await service.api('/checkout/chk_x/expire', { method: 'POST' })
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: 404, body: problem('not_found') })
  })

  it('lists checkouts by customer and by status', async () => {
    const mine = (await sell({ customer_email: 'lists@example.com' })).body.data
    const ended = (await sell({ customer_email: 'lists@example.com' })).body.data
    await service.api(`/checkout/${ended.id}/expire`, { method: 'POST' })
    const listed = async (query: string) =>
      (await service.api(`/checkout?customer=${mine.customer_id}${query}`)).body.data.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await listed('')).toEqual([ended.id, mine.id])
    expect(await listed('&status=open')).toEqual([mine.id])
    expect(await listed('&status=expired')).toEqual([ended.id])
    expect(await listed(`&status=open&created[gte]=${mine.created_at}`)).toEqual([mine.id])
    expect(await listed(`&created[lt]=${mine.created_at}`)).toEqual([])
    expect(await listed(`&status=expired&ending_before=${mine.id}`)).toEqual([ended.id])
    expect((await service.api('/checkout?customer=cus_unknown')).body.data).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      url: '/checkout',
    })
  })
})
